/** What Redoc leaves out: roles for screen readers and the keyboard, and a button that copies a code block of the guide. */
export function amend(root) {
  const teller = document.createElement("p");
  teller.className = "for-screen-readers";
  teller.setAttribute("role", "status");
  root.after(teller);
  const amendAll = () => {
    for (const [selector, attributes] of roles) {
      for (const element of root.querySelectorAll(selector)) setAttributes(element, attributes);
    }
    for (const block of root.querySelectorAll(".redoc-markdown pre:not(.code-block > pre)"))
      frame(block, teller);
  };
  new MutationObserver(amendAll).observe(root, { childList: true, subtree: true });
  root.addEventListener("keydown", pressWithKeyboard);
}

const roles = [
  [".menu-content:not([role])", { role: "navigation", "aria-label": "Contents" }],
  // Named by its text; a name that Redoc gives would leave out the items that are shown below it.
  [".menu-content li[aria-label]", { "aria-label": null }],
  [".menu-content li > ul:not([role])", { role: "menu", "aria-label": "Sections" }],
  [".menu-content li span[tabindex]", { tabindex: null }], // Its item can be reached already.
  [".api-content:not([role])", { role: "main" }],
  [
    ".menu-content + div:not([role])",
    { role: "button", tabindex: "0", "aria-label": "Open or close the contents" },
  ],
  ['[role="search"] > i:not([role])', { role: "button", tabindex: "0", "aria-label": "Clear" }],
  // "Authorizations" opens what the operation needs.
  [".api-content div:has(> h5 + svg):not([role])", { role: "button", tabindex: "0" }],
  [".api-content h5:not([aria-level])", { "aria-level": "3" }], // They follow an h2.
  // What may scroll sideways has to be reached by keyboard.
  [".api-content :is(pre, .redoc-markdown table):not([tabindex])", { tabindex: "0" }],
];

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}

function pressWithKeyboard(event) {
  if (event.key !== "Enter" && event.key !== " ") return;
  if (!event.target.matches('[role="button"]:not(button)')) return;
  event.preventDefault();
  event.target.click();
}

function frame(block, teller) {
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
