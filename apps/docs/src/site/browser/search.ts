/** Search box in the header: a combobox that loads its index at the first use. */
import type MiniSearch from "minisearch";
import { element } from "./element.ts";
import type { Hit } from "./search-query.ts";

const longestList = 12;

type Search = (query: string) => Hit[];

/**
 * Adds the search box.
 *
 * @param container element with the address of the index in `data-index`
 */
export function addSearch(container: HTMLElement): void {
  const input = element("input", {
    type: "search",
    placeholder: "Search",
    "aria-label": "Search the documentation",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": "hits",
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
  });
  const list = element("div", { id: "hits", role: "listbox", "aria-label": "Search results", hidden: true });
  const status = element("p", { class: "for-screen-readers", role: "status" });
  container.append(input, list, status);
  let loading: Promise<Search> | undefined;
  let selected = 0;

  const load = () => {
    loading ??= loadSearch(container.dataset["index"] ?? "");
    return loading;
  };
  input.addEventListener("focus", () => {
    load().catch(() => {
      loading = undefined;
    });
  });
  input.addEventListener("input", () => void update());
  input.addEventListener("keydown", press);
  document.addEventListener("click", ({ target }) => {
    if (!container.contains(target as Node)) close();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });

  async function update(): Promise<void> {
    const query = input.value.trim();
    if (query === "") return close();
    let hits: Hit[];
    try {
      const search = await load();
      hits = search(query);
    } catch {
      loading = undefined;
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

  const options = () => [...list.querySelectorAll<HTMLElement>('[role="option"]')];

  function mark(): void {
    for (const [position, option] of options().entries()) {
      option.setAttribute("aria-selected", String(position === selected));
      if (position !== selected) continue;
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }
  }

  function press(event: KeyboardEvent): void {
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

  function close(): void {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    status.textContent = "";
  }
}

/** Loads the library and the index. */
async function loadSearch(address: string): Promise<Search> {
  const [{ default: Index }, { search, searchOptions }, response] = await Promise.all([
    import("minisearch"),
    import("./search-query.ts"),
    fetch(address),
  ]);
  if (!response.ok) throw new Error(`Status ${response.status}`);
  const index: MiniSearch = Index.loadJSON(await response.text(), searchOptions);
  return (query) => search(index, query, longestList);
}

function items(hits: Hit[]): HTMLElement[] {
  if (hits.length === 0) return [element("p", { class: "empty" }, "No results.")];
  const sections = [...new Set(hits.map(({ section }) => section))];
  return sections.flatMap((section) => [
    element("p", { class: "group", role: "presentation" }, section),
    ...hits.filter((hit) => hit.section === section).map(item),
  ]);
}

function item({ id, title, heading, description }: Hit): HTMLElement {
  return element(
    "a",
    { role: "option", id: `hit-${id.replaceAll(/\W+/g, "-")}`, href: id, tabindex: -1 },
    element("strong", {}, heading ? `${title} › ${heading}` : title),
    element("span", {}, description),
  );
}
