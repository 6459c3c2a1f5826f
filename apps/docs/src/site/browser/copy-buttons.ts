import { element } from "./element.ts";

const shownMs = 2_000;

/** Adds a button that copies the text to each code block that has none. Screen readers read the result. */
export function addCopyButtons(root: HTMLElement): void {
  // Browsers provide no clipboard to http pages of other machines.
  if (!("clipboard" in navigator)) return;
  const status = element("p", { class: "for-screen-readers", role: "status" });
  root.append(status);
  for (const block of root.querySelectorAll(".code-block:not(:has(button))")) {
    const code = block.querySelector("code");
    if (code) block.append(copyButton(code, status));
  }
}

function copyButton(code: Element, status: Element): HTMLElement {
  const button = element("button", { type: "button" }, "Copy");
  const announce = (text: string) => {
    button.textContent = text;
    status.textContent = text;
    setTimeout(() => {
      button.textContent = "Copy";
      status.textContent = "";
    }, shownMs);
  };
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(code.textContent ?? "").then(
      () => announce("Copied"),
      () => announce("Copying is not allowed"),
    );
  });
  return button;
}
