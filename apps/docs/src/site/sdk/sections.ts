import { codeBlock, table } from "../page.ts";
import type { Declaration, Parameter, ReadFile } from "./declarations.ts";
import type { DocComment, Example } from "./doc-comment.ts";
import { allNames, basesOf, helpersOf, isHelper, propertiesOf } from "./inheritance.ts";
import type { LinkTypes } from "./links.ts";

/** Section of a page. */
export interface Section {
  readonly heading: string;
  readonly level: 2 | 3;
  /** What links to this section name. */
  readonly key: string;
  readonly text: (links: LinkTypes) => string;
}

/** Returns the key of a declaration or of one of its members. */
export function keyOf({ file, name }: { file: string; name: string }, member?: string): string {
  return member === undefined ? `${file}#${name}` : `${file}#${name}.${member}`;
}

/** Returns the text of a declaration: description, code, parameters or members, errors and examples. */
export function textOf(read: ReadFile, declaration: Declaration, links: LinkTypes): string {
  const { file, doc, code } = declaration;
  const helpers = helpersOf(read, declaration).map((helper) => helper.code);
  return joined([
    links.describe(doc.description, file),
    codeBlock("ts", [code, ...helpers].join("\n\n")),
    callText(declaration, file, links),
    propertyTable(read, declaration, links),
    usedTypes(declaration, links),
    inherited(read, declaration, links),
    ...doc.examples.map(exampleText),
  ]);
}

/** Returns a section for the constructor and for each method. */
export function memberSections(
  declaration: Declaration,
  { level, prefix }: { level: 2 | 3; prefix: string },
): Section[] {
  const { file, name } = declaration;
  return declaration.members
    .filter(({ kind }) => kind !== "property")
    .map((member) => ({
      heading: member.kind === "constructor" ? `new ${name}()` : `${prefix}.${member.name}()`,
      level,
      key: keyOf(declaration, member.name),
      text: (links) =>
        joined([
          links.describe(member.doc.description, file, name),
          codeBlock(
            "ts",
            member.kind === "constructor" ? member.code.replace("constructor", `new ${name}`) : member.code,
          ),
          callText(member, file, links, name),
          ...member.doc.examples.map(exampleText),
        ]),
    }));
}

interface Call {
  readonly doc: DocComment;
  readonly parameters: readonly Parameter[];
  readonly returns: string;
}

/** Describes the parameters, the result and the errors of a function or method. */
function callText(
  { doc, parameters, returns }: Call,
  file: string,
  links: LinkTypes,
  parent?: string,
): string {
  const rows = parameters.map(({ name, type, isOptional, description }) => [
    `\`${name}\``,
    links.type(type, file) + (isOptional ? ", optional" : ""),
    sentence(links.describe(description, file, parent) || links.summary(type, file)),
  ]);
  const errors = doc.throws.map((text) => `- ${sentence(links.describe(text, file, parent))}`);
  return joined([
    described(["Parameter", "Type", "Description"], rows),
    returns && returns !== "void" ? `Returns ${links.type(returns, file)}.` : "",
    errors.length > 0 ? `Throws:\n\n${errors.join("\n")}` : "",
  ]);
}

function propertyTable(read: ReadFile, declaration: Declaration, links: LinkTypes): string {
  const rows = propertiesOf(read, declaration).map(({ member, file, name }) => [
    `\`${member.name}\``,
    links.type(member.type, file) + (member.isOptional ? ", optional" : ""),
    joined([
      links.describe(member.doc.description, file, name),
      ...member.doc.examples.map(({ code }) => `\`${code}\``),
    ]),
  ]);
  return described(["Property", "Type", "Description"], rows);
}

/** Names the exported bases, with the properties that they add. */
function inherited(read: ReadFile, declaration: Declaration, links: LinkTypes): string {
  const { file, kind, bases } = declaration;
  const helpers = basesOf(read, declaration).filter((base) => isHelper(read, base));
  const own = new Set(propertiesOf(read, declaration).map(({ member }) => member.name));
  const shown = kind === "type" ? [] : bases.filter((base) => !helpers.some(({ name }) => name === base));
  const lines = shown.flatMap((base) => {
    const [declared] = basesOf(read, { ...declaration, bases: [base] });
    const names = declared ? allNames(read, declared).filter((name) => !own.has(name)) : [];
    const linked = links.type(base, file);
    // A base class without a section or properties has nothing that a program can use.
    if (declared && linked === base && names.length === 0) return [];
    return `- ${linked}${names.length > 0 ? `: ${names.map((name) => `\`${name}\``).join(", ")}` : ""}`;
  });
  return joined([
    lines.length > 0 ? `Inherits from:\n\n${lines.join("\n")}` : "",
    ...helpers
      .map((helper) => inherited(read, helper, links))
      .filter((text, index, all) => all.indexOf(text) === index),
  ]);
}

/** Links the types that the code of a type names. */
function usedTypes({ kind, name, file, code }: Declaration, links: LinkTypes): string {
  if (kind !== "type") return "";
  const names = [...new Set(code.replace(/^.*? = /s, "").match(/"[^"]*"|[A-Za-z_]\w*/g))];
  const linked = names.map((one) => links.type(one, file)).filter((link, index) => link !== names[index]);
  const others = linked.filter((link) => !link.startsWith(`[${name}](/docs/sdk/`));
  return others.length > 0 ? `See also ${others.join(", ")}.` : "";
}

function exampleText({ title, code }: Example): string {
  return joined([title && `${title.replace(/[.:]$/, "")}:`, codeBlock("ts", code)]);
}

/** Returns a text with a capital letter and a period, as in a table or list of sentences. */
function sentence(text: string): string {
  const end = text === "" || /[.:!?]$/.test(text) ? "" : ".";
  return text.charAt(0).toUpperCase() + text.slice(1) + end;
}

function joined(parts: string[]): string {
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join("\n\n");
}

/** Returns a table whose last column is left out if it is empty, for names that need no description. */
function described(headings: string[], rows: string[][]): string {
  const isEmpty = rows.every((row) => row.at(-1) === "");
  return isEmpty
    ? table(
        headings.slice(0, -1),
        rows.map((row) => row.slice(0, -1)),
      )
    : table(headings, rows);
}
