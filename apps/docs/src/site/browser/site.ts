/** Adds the search, buttons that copy code, and "Try it". Pages are complete without this script. */
import { addCopyButtons } from "./copy-buttons.ts";
import { addSearch } from "./search.ts";
import { addTryIt } from "./try-it/add-try-it.ts";

const search = document.getElementById("search");
if (search) addSearch(search);
addCopyButtons(document.body);
showCurrentPage();
addTryIt();

/** Scrolls the sidebar, not the window, to the link of the current page. */
function showCurrentPage(): void {
  const sidebar = document.getElementById("sidebar");
  const link = sidebar?.querySelector<HTMLElement>('[aria-current="page"]');
  if (!sidebar || !link) return;
  const { top } = link.getBoundingClientRect();
  sidebar.scrollTop += top - sidebar.getBoundingClientRect().top - sidebar.clientHeight / 2;
}
