import { type Html, html } from "@parley/ui";

/** Renders a text of the contract with code in backticks, and links as their text. Other Markdown is shown as it is. */
export function inlineMarkdown(text: string): Html {
  const plain = text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1").replaceAll("**", "");
  return html`${plain.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
