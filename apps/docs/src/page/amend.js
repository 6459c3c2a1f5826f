/** Adds what Redoc lacks: roles for screen readers, keyboard access, and buttons that copy the code blocks of the guide. */
export function amend(root) {
  const announcement = document.createElement("p");
  announcement.className = "for-screen-readers";
  announcement.setAttribute("role", "status");
  root.after(announcement);
  const amendAll = () => {
    for (const [selector, attributes] of roles) {
      for (const element of root.querySelectorAll(selector)) setAttributes(element, attributes);
    }
    for (const block of root.querySelectorAll(".redoc-markdown pre:not(.code-block > pre)"))
      frame(block, announcement);
  };
  new MutationObserver(amendAll).observe(root, { childList: true, subtree: true });
  root.addEventListener("keydown", pressWithKeyboard);
}

const roles = [
  [".menu-content:not([role])", { role: "navigation", "aria-label": "Contents" }],
  // The item's text is a better name than Redoc's, which omits the items below it.
  [".menu-content li[aria-label]", { "aria-label": null }],
  [".menu-content li > ul:not([role])", { role: "menu", "aria-label": "Sections" }],
  [".menu-content li span[tabindex]", { tabindex: null }], // The item is already focusable.
  [".api-content:not([role])", { role: "main" }],
  [
    ".menu-content + div:not([role])",
    { role: "button", tabindex: "0", "aria-label": "Open or close the contents" },
  ],
  ['[role="search"] > i:not([role])', { role: "button", tabindex: "0", "aria-label": "Clear" }],
  // "Authorizations" shows the required scopes.
  [".api-content div:has(> h5 + svg):not([role])", { role: "button", tabindex: "0" }],
  [".api-content h5:not([aria-level])", { "aria-level": "3" }], // The preceding heading is an h2.
  // Elements that scroll horizontally must be focusable.
  [
    ".api-content :is(pre, .redoc-markdown table, .redoc-markdown p:has(> img)):not([tabindex])",
    { tabindex: "0" },
  ],
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

function frame(block, announcement) {
  const around = document.createElement("div");
  around.className = "code-block";
  block.replaceWith(around);
  around.append(block);
  // Browsers provide no clipboard to http pages of other machines.
  if (navigator.clipboard) around.append(copyButton(block, announcement));
}

function copyButton(block, announcement) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  const announce = (words) => {
    button.textContent = words;
    announcement.textContent = words;
  };
  button.addEventListener("click", () => {
    announcement.textContent = "";
    navigator.clipboard.writeText(block.textContent).then(
      () => announce("Copied"),
      () => announce("Copying is not allowed"),
    );
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  });
  return button;
}
