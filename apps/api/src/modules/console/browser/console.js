// Adds to the pages of the console what needs a script: copy buttons, search fields and live updates. Each page is complete without it.
// The text is part of the page, whose Content-Security-Policy has its hash.

const refreshMs = 5_000;
const shownMs = 2_000;

/**
 * Returns an element with text.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} attributes
 * @param {string} text
 */
function element(name, attributes, text = "") {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.textContent = text;
  return created;
}

const status = element("p", { class: "for-screen-readers", role: "status" });
document.body.append(status);

/** @param {ParentNode} root */
function addCopyButtons(root) {
  // Browsers provide no clipboard to http pages of other machines.
  if (!("clipboard" in navigator)) return;
  for (const code of root.querySelectorAll(".code > code, .secret code")) {
    const button = element("button", { type: "button", class: "button link copy" }, "Copy");
    /** @param {string} text */
    const announce = (text) => {
      button.textContent = text;
      status.textContent = text;
      setTimeout(() => {
        button.textContent = "Copy";
      }, shownMs);
    };
    button.addEventListener("click", () => {
      navigator.clipboard.writeText(code.textContent ?? "").then(
        () => announce("Copied"),
        () => announce("Copying is not allowed"),
      );
    });
    code.parentElement?.after(button);
  }
}

/** Adds a field that hides the rows and options whose text does not contain what is typed. Checked options stay visible. */
function addSearchFields() {
  for (const area of document.querySelectorAll("[data-search]")) {
    const label = area.getAttribute("data-search") ?? "";
    const field = element("div", { class: "field" });
    const input = element("input", { type: "search", id: "search", autocomplete: "off" });
    const count = element("p", { class: "hint" });
    field.append(element("label", { for: "search" }, label), input, count);
    const rows = /** @type {NodeListOf<HTMLElement>} */ (area.querySelectorAll("tbody tr, .option"));
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      let found = 0;
      for (const row of rows) {
        const isChecked = row.querySelector(":checked") !== null;
        row.hidden = !isChecked && !(row.textContent ?? "").toLowerCase().includes(wanted);
        if (!row.hidden) found += 1;
      }
      status.textContent = `${found} found`;
      count.textContent = wanted === "" ? "" : `${found} found`;
    });
    // Enter in the field must not submit the form.
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault();
    });
    area.prepend(field);
  }
}

/** Requests the page again and replaces its live parts, unless someone uses the keyboard in them. */
async function refresh() {
  const parts = [...document.querySelectorAll("[data-live]")];
  if (document.hidden || parts.some((part) => part.querySelector(":focus-visible") !== null)) return;
  const response = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const next = page.querySelectorAll("[data-live]");
  if (next.length !== parts.length) return location.reload(); // The session has ended.
  parts.forEach((part, index) => {
    const open = [...part.querySelectorAll("details")].map((details) => details.open);
    const replacement = /** @type {Element} */ (next[index]);
    if (replacement.innerHTML === part.innerHTML) return;
    part.replaceChildren(...replacement.childNodes);
    part.querySelectorAll("details").forEach((details, place) => {
      details.open = open[place] ?? details.open;
    });
  });
}

addCopyButtons(document);
addSearchFields();
if (document.querySelector("[data-live]")) {
  // Without a connection, the page stays as it is.
  setInterval(() => {
    refresh().catch(() => undefined);
  }, refreshMs);
}
