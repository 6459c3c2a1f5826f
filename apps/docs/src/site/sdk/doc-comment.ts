/** A TSDoc comment. Its texts are Markdown that can contain `{@link X}`. */
export interface DocComment {
  readonly description: string;
  /** Descriptions of the parameters by name. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly throws: readonly string[];
  readonly examples: readonly Example[];
  /** Tags without a text, for example `internal`. */
  readonly modifiers: ReadonlySet<string>;
}

export interface Example {
  /** Text after `@example`; empty without one. */
  readonly title: string;
  readonly code: string;
}

/** Parses a comment: the text between the slash and asterisks at its beginning and its end. */
export function parseDocComment(comment: string): DocComment {
  const text = comment
    .replace(/^\*/, "")
    .replaceAll(/^[ \t]*\* ?/gm, "")
    .replaceAll("*\\/", "*/")
    .trim();
  const [description = "", ...blocks] = `\n${text}`.split(/^(?=@\w)/m);
  const parsed = { parameters: new Map<string, string>(), throws: [] as string[], examples: [] as Example[] };
  const modifiers = new Set<string>();
  for (const block of blocks) {
    const [, tag = "", rest = ""] = /^@(\w+)(.*)$/s.exec(block) ?? [];
    if (tag === "param") {
      const [, name = "", meaning = ""] = /^\s*(\w+)\s*-?\s*(.*)$/s.exec(rest) ?? [];
      parsed.parameters.set(name, oneLine(meaning));
    } else if (tag === "throws") {
      parsed.throws.push(oneLine(rest));
    } else if (tag === "example") {
      const [title = "", ...lines] = rest.split("\n");
      parsed.examples.push({ title: title.trim(), code: lines.join("\n").trim() });
    } else {
      modifiers.add(tag);
    }
  }
  return { description: description.trim(), ...parsed, modifiers };
}

export const noComment = parseDocComment("");

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
