/** What Redoc leaves out: names for screen readers, and a button that copies a code block of the chapters. */
export function amend(root) {
  const teller = document.createElement("p");
  teller.className = "for-screen-readers";
  teller.setAttribute("role", "status");
  root.after(teller);
  const amendAll = () => {
    for (const [selector, attributes] of roles) {
      for (const element of document.querySelectorAll(selector)) setAttributes(element, attributes);
    }
    const blocks = '[data-component-name="Markdown/Markdown"] pre:not(.code-block > pre)';
    for (const block of root.querySelectorAll(blocks)) frame(block, teller);
  };
  new MutationObserver(amendAll).observe(document.body, { childList: true, subtree: true });
}

const roles = [
  [".menu-content:not([role])", { role: "navigation", "aria-label": "Contents" }],
  ['[data-testid="search-dialog"]:not([role])', { role: "dialog", "aria-label": "Search" }],
  ['[data-testid="search-dialog"] button:not([aria-label])', { "aria-label": "Clear" }],
];

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
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
    button.textContent = words;
    teller.textContent = words;
  };
  button.addEventListener("click", () => {
    teller.textContent = "";
    navigator.clipboard.writeText(block.textContent).then(
      () => tell("Copied"),
      () => tell("Copying was refused"),
    );
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  });
  return button;
}
