import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import json from "highlight.js/lib/languages/json";
import typescript from "highlight.js/lib/languages/typescript";
import { element } from "../element.ts";

const languages = { bash, json, typescript };
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);

/** Longer texts are shown without colors, because highlighting them would block the page. */
const longestHighlighted = 100_000;

/** Returns a code block that can scroll. */
export function codeBlock(text: string, language: keyof typeof languages | "text"): HTMLElement {
  const code = element("code", { "data-language": language }, text);
  if (language !== "text" && text.length <= longestHighlighted) {
    // highlight.js escapes the text.
    code.innerHTML = highlighter.highlight(text, { language }).value;
  }
  return element("div", { class: "code-block" }, element("pre", { class: "code", tabindex: 0 }, code));
}
