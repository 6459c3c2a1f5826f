/** Adds the search, and buttons that copy code. Pages are complete without this script. */
import { addSearch } from "./search.js";

addSearch(document.getElementById("search"));

const status = document.createElement("p");
status.className = "for-screen-readers";
status.setAttribute("role", "status");
document.body.append(status);

// Browsers provide no clipboard to http pages of other machines.
if (navigator.clipboard) {
  for (const block of document.querySelectorAll(".code"))
    block.append(copyButton(block.querySelector("code")));
}

function copyButton(code) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  const announce = (text) => {
    button.textContent = text;
    status.textContent = text;
    setTimeout(() => {
      button.textContent = "Copy";
      status.textContent = "";
    }, 2000);
  };
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(code.textContent).then(
      () => announce("Copied"),
      () => announce("Copying is not allowed"),
    );
  });
  return button;
}
