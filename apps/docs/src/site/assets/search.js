/** Search box in the header: a combobox that loads its index at the first use. */
import MiniSearch from "./minisearch.js";
import { search, searchOptions } from "./search-query.js";

const longestList = 12;

export function addSearch(container) {
  container.innerHTML =
    '<input type="search" placeholder="Search" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="hits" aria-autocomplete="list" autocomplete="off" spellcheck="false"><div id="hits" role="listbox" aria-label="Search results" hidden></div><p class="for-screen-readers" role="status"></p>';
  const [input, list, status] = container.children;
  let index;
  let selected = 0;

  const load = () => {
    index ??= fetch(container.dataset.index).then(async (response) => {
      if (!response.ok) throw new Error(`Status ${response.status}`);
      return MiniSearch.loadJSON(await response.text(), searchOptions);
    });
    return index;
  };
  input.addEventListener("focus", () => void load().catch(() => (index = undefined)));
  input.addEventListener("input", update);
  input.addEventListener("keydown", press);
  document.addEventListener("click", ({ target }) => container.contains(target) || close());
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName);
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });

  async function update() {
    const query = input.value.trim();
    if (query === "") return close();
    let hits;
    try {
      hits = search(await load(), query, longestList);
    } catch {
      index = undefined;
      status.textContent = "The search could not be loaded.";
      return;
    }
    if (input.value.trim() !== query) return;
    selected = 0;
    list.replaceChildren(...items(hits));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    status.textContent = hits.length === 1 ? "1 result" : `${hits.length} results`;
    mark();
  }

  function items(hits) {
    if (hits.length === 0) {
      const empty = document.createElement("p");
      empty.className = "empty";
      empty.textContent = "No results.";
      return [empty];
    }
    const sections = [...new Set(hits.map(({ section }) => section))];
    return sections.flatMap((section) => {
      const heading = document.createElement("p");
      heading.className = "group";
      heading.setAttribute("role", "presentation");
      heading.textContent = section;
      return [heading, ...hits.filter((hit) => hit.section === section).map(item)];
    });
  }

  function item({ id, title, heading, description }) {
    const link = document.createElement("a");
    link.setAttribute("role", "option");
    link.id = `hit-${id.replaceAll(/\W+/g, "-")}`;
    link.href = id;
    link.tabIndex = -1;
    const name = document.createElement("strong");
    name.textContent = heading ? `${title} › ${heading}` : title;
    const text = document.createElement("span");
    text.textContent = description;
    link.append(name, text);
    return link;
  }

  const options = () => [...list.querySelectorAll('[role="option"]')];

  function mark() {
    for (const [position, option] of options().entries()) {
      option.setAttribute("aria-selected", String(position === selected));
      if (position !== selected) continue;
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }
  }

  function press(event) {
    const count = options().length;
    if (event.key === "Escape") {
      input.value = "";
      close();
    } else if (event.key === "Enter") {
      event.preventDefault();
      options()[selected]?.click();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && count > 0) {
      event.preventDefault();
      selected = (selected + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
      mark();
    }
  }

  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    status.textContent = "";
  }
}
