/** Adds the search, buttons that copy code, and "Try it". Pages are complete without this script. */
import { addCopyButtons } from "./copy-buttons.ts";
import { addSearch } from "./search.ts";
import { addTryIt } from "./try-it/add-try-it.ts";

const search = document.getElementById("search");
if (search) addSearch(search);
addCopyButtons(document.body);
addTryIt();
