/** What Redoc leaves out: a landmark around its menu, and a button that copies a code block of the chapters. */
export function amend(root) {
  const teller = document.createElement("p");
  teller.className = "for-screen-readers";
  teller.setAttribute("role", "status");
  root.after(teller);
  const amendAll = () => {
    for (const menu of root.querySelectorAll(".menu-content:not([role])")) makeLandmark(menu);
    const blocks = '[data-component-name="Markdown/Markdown"] pre:not(.code-block > pre)';
    for (const block of root.querySelectorAll(blocks)) frame(block, teller);
  };
  new MutationObserver(amendAll).observe(root, { childList: true, subtree: true });
}

function makeLandmark(menu) {
  menu.setAttribute("role", "navigation");
  menu.setAttribute("aria-label", "Contents");
}

/** A block may scroll sideways, so the keyboard has to reach it. */
function frame(block, teller) {
  block.tabIndex = 0;
  const around = document.createElement("div");
  around.className = "code-block";
  block.replaceWith(around);
  around.append(block);
  // Browsers have no clipboard for pages that came by http from another machine.
  if (navigator.clipboard) around.append(copyButton(block, teller));
}

function copyButton(block, teller) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  const tell = (words) => {
    button.textContent = words || "Copy";
    teller.textContent = words;
  };
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(block.textContent).then(
      () => tell("Copied"),
      () => tell("Copying was refused"),
    );
    setTimeout(tell, 2000, "");
  });
  return button;
}
