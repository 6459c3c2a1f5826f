import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Class,
  type ClassElement,
  type Comment,
  type ParamPattern,
  parseSync,
  type Statement,
  type TSInterfaceDeclaration,
  type TSSignature,
  type TSType,
} from "oxc-parser";
import { type DocComment, noComment, parseDocComment } from "./doc-comment.ts";

/** A declaration of a file, exported or not. */
export interface Declaration {
  readonly name: string;
  /** Path of the file in the folder of declarations. */
  readonly file: string;
  readonly kind: "class" | "interface" | "type" | "function" | "constant";
  /** Code without comments and internal members. */
  readonly code: string;
  readonly doc: DocComment;
  /** Base class or interfaces. For a type, the types of its union or intersection. */
  readonly bases: readonly string[];
  readonly members: readonly Member[];
  /** Parameters of a function. */
  readonly parameters: readonly Parameter[];
  /** Type that a function returns; empty for other declarations. */
  readonly returns: string;
}

export interface Member {
  readonly name: string;
  readonly kind: "property" | "method" | "constructor";
  readonly code: string;
  /** Type of a property without `undefined`, if it is optional. */
  readonly type: string;
  readonly isOptional: boolean;
  readonly doc: DocComment;
  readonly parameters: readonly Parameter[];
  /** Type that a method returns; empty for other members. */
  readonly returns: string;
}

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly description: string;
}

/** A name in a file. */
export interface Reference {
  readonly file: string;
  readonly name: string;
}

/** A name that a file exports, and the declaration that it leads to. */
export interface Export extends Reference {
  readonly exportedAs: string;
  /** Whether it is exported only as a type. */
  readonly isType: boolean;
  /** Comment of the export statement. */
  readonly doc: DocComment;
}

/** The declarations of a file. */
export interface DeclarationFile {
  /** Comment with `@packageDocumentation`. */
  readonly doc: DocComment;
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Names of other files by their local name. The name `*` stands for all exports. */
  readonly imports: ReadonlyMap<string, Reference>;
  readonly exports: readonly Export[];
}

/** Reads declaration files of a folder, each once. */
export type ReadFile = (file: string) => DeclarationFile;

/** Returns the function that reads the declaration files of a folder. */
export function declarationReader(folder: string): ReadFile {
  const files = new Map<string, DeclarationFile>();
  return function read(file) {
    const known = files.get(file) ?? readDeclarationFile(file, readFileSync(join(folder, file), "utf8"));
    files.set(file, known);
    return known;
  };
}

/** Lists what a file exports, also from other files, except the files for which `isOpaque` is true. */
export function exportsOf(read: ReadFile, file: string, isOpaque: (file: string) => boolean): Export[] {
  return read(file).exports.flatMap((found): Export[] => {
    const { name, file: source, doc } = found;
    if (isOpaque(source) || (source === file && read(file).declarations.has(name))) return [found];
    if (source === file) {
      const imported = read(file).imports.get(name);
      return imported ? [{ ...found, ...imported }] : [];
    }
    const all = exportsOf(read, source, isOpaque);
    if (name === "*") return all;
    return all
      .filter(({ exportedAs }) => exportedAs === name)
      .map((one) => ({ ...one, isType: one.isType || found.isType, doc: doc.description ? doc : one.doc }));
  });
}

/**
 * Finds the declaration that a name means in a file; undefined for a global type. A name of an imported namespace has no
 * prefix.
 */
export function resolveName(
  read: ReadFile,
  file: string,
  name: string,
  isOpaque: (file: string) => boolean,
): Reference | undefined {
  if (isOpaque(file)) return { file, name };
  const { declarations, imports } = read(file);
  if (declarations.has(name)) return { file, name };
  const namespace = imports.values().find((from) => from.name === "*");
  const found = imports.get(name) ?? (namespace && { file: namespace.file, name });
  if (!found || isOpaque(found.file)) return found;
  return exportsOf(read, found.file, isOpaque).find(({ exportedAs }) => exportedAs === found.name);
}

function readDeclarationFile(file: string, text: string): DeclarationFile {
  const { program, comments, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const source = new Source(file, text, comments);
  const declarations = new Map<string, Declaration>();
  const imports = new Map<string, Reference>();
  const exports: Export[] = [];

  for (const statement of program.body) {
    if (statement.type === "ImportDeclaration") {
      const from = source.pathOf(statement.source.value);
      if (from === undefined) continue;
      for (const specifier of statement.specifiers) {
        const name = specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "*";
        imports.set(specifier.local.name, { file: from, name });
      }
    } else if (statement.type === "ExportAllDeclaration") {
      const from = source.pathOf(statement.source.value);
      const isType = statement.exportKind === "type";
      if (from) exports.push({ file: from, name: "*", exportedAs: "*", isType, doc: noComment });
    } else if (statement.type === "ExportNamedDeclaration" && !statement.declaration) {
      const from = statement.source ? source.pathOf(statement.source.value) : file;
      const doc = source.docBefore(statement.start);
      for (const { local, exported, exportKind } of statement.specifiers) {
        const isType = statement.exportKind === "type" || exportKind === "type";
        if (from)
          exports.push({ file: from, name: nameOf(local), exportedAs: nameOf(exported), isType, doc });
      }
    } else {
      const isExported = statement.type === "ExportNamedDeclaration";
      const declared = isExported ? statement.declaration : statement;
      const found = declared && source.declaration(declared as Statement, statement.start);
      if (!found) continue;
      declarations.set(found.name, found);
      const isType = found.kind === "interface" || found.kind === "type";
      if (isExported)
        exports.push({ file, name: found.name, exportedAs: found.name, isType, doc: noComment });
    }
  }
  return { doc: source.packageDoc(), declarations, imports, exports };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const longestLine = 88;

/** Text of a file, with its comments. */
class Source {
  readonly #file: string;
  readonly #text: string;
  readonly #comments: Comment[];

  constructor(file: string, text: string, comments: Comment[]) {
    this.#file = file;
    this.#text = text;
    this.#comments = comments;
  }

  /** Returns the path of the declaration file for an import; undefined for another package. */
  pathOf(specifier: string): string | undefined {
    if (!specifier.startsWith(".")) return undefined;
    return join(this.#file, "..", specifier.replace(/\.ts$/, ".d.ts"));
  }

  packageDoc(): DocComment {
    const comment = this.#comments.find(({ value }) => value.includes("@packageDocumentation"));
    return parseDocComment(comment?.value ?? "");
  }

  /** Returns the comment that ends directly before a position. */
  docBefore(start: number): DocComment {
    const comment = this.#comments.findLast(({ end }) => end <= start);
    if (!comment?.value.startsWith("*") || comment.value.includes("@packageDocumentation")) return noComment;
    return this.#text.slice(comment.end, start).trim() === "" ? parseDocComment(comment.value) : noComment;
  }

  declaration(node: Statement, start: number): Declaration | undefined {
    const doc = this.docBefore(start);
    const common = { file: this.#file, doc, bases: [], members: [], parameters: [], returns: "" };
    switch (node.type) {
      case "ClassDeclaration":
      case "TSInterfaceDeclaration":
        return { ...common, ...this.#withMembers(node) };
      case "TSTypeAliasDeclaration":
        return {
          ...common,
          name: node.id.name,
          kind: "type",
          code: this.#code(node),
          bases: this.#partsOf(node.typeAnnotation),
        };
      case "TSDeclareFunction":
      case "FunctionDeclaration": {
        const name = node.id?.name ?? "";
        return { ...common, name, kind: "function", ...this.#callable(`function ${name}`, node, doc) };
      }
      case "VariableDeclaration": {
        const [variable] = node.declarations;
        if (variable?.id.type !== "Identifier") return undefined;
        return { ...common, name: variable.id.name, kind: "constant", code: this.#code(node) };
      }
      default:
        return undefined;
    }
  }

  #withMembers(
    node: Class | TSInterfaceDeclaration,
  ): Pick<Declaration, "name" | "kind" | "code" | "bases" | "members"> {
    const isClass = node.type !== "TSInterfaceDeclaration";
    const kind = isClass ? "class" : "interface";
    const name = node.id?.name ?? "";
    const bases = isClass
      ? [node.superClass && this.#plain(node.superClass) + this.#plain(node.superTypeArguments)]
      : node.extends.map((base) => this.#plain(base));
    const known = bases.filter((base) => base !== null);
    const members = node.body.body.flatMap((member) => this.#member(member));
    const head = `${kind} ${name}${this.#plain(node.typeParameters)}`;
    const extending = known.length > 0 ? ` extends ${known.join(", ")}` : "";
    const body = members.map(({ code }) => `${code.replaceAll(/^/gm, "  ")};\n`).join("");
    return { name, kind, bases: known, members, code: `${head}${extending} {\n${body}}` };
  }

  #member(node: ClassElement | TSSignature): Member[] {
    const doc = this.docBefore(node.start);
    if (doc.modifiers.has("internal")) return [];
    const property = { kind: "property", doc, parameters: [], returns: "" } as const;
    switch (node.type) {
      case "PropertyDefinition":
      case "TSPropertySignature": {
        if (node.key.type === "PrivateIdentifier") return [];
        return [
          {
            ...property,
            name: this.#keyOf(node.key),
            code: this.#code(node),
            ...this.#annotated(node as Annotated),
          },
        ];
      }
      case "TSIndexSignature": {
        const type = this.#plain(node.typeAnnotation.typeAnnotation);
        const code = this.#code(node);
        return [{ ...property, name: /\[.*?\]/.exec(code)?.[0] ?? "", code, type, isOptional: false }];
      }
      case "MethodDefinition": {
        const name = this.#keyOf(node.key);
        const kind = node.kind === "constructor" ? "constructor" : "method";
        return [{ name, kind, type: "", isOptional: false, doc, ...this.#callable(name, node.value, doc) }];
      }
      case "TSMethodSignature": {
        const name = this.#keyOf(node.key);
        return [
          {
            name,
            kind: "method",
            type: "",
            isOptional: node.optional,
            doc,
            ...this.#callable(name, node, doc),
          },
        ];
      }
      default:
        return [];
    }
  }

  #callable(
    head: string,
    node: {
      typeParameters?: Range | null | undefined;
      params: ParamPattern[];
      returnType?: { typeAnnotation: TSType } | null | undefined;
    },
    doc: DocComment,
  ): { code: string; parameters: Parameter[]; returns: string } {
    const named = node.params.map((one) => (one.type === "Identifier" ? one.name : undefined));
    const parameters = node.params.map((one, index): Parameter => {
      // A destructured parameter has no name in the code, only in the comment.
      const name = named[index] ?? doc.parameters.keys().find((other) => !named.includes(other)) ?? "options";
      const { isOptional, type } = this.#annotated(one as Annotated);
      return { name, type, isOptional, description: doc.parameters.get(name) ?? "" };
    });
    const types = this.#plain(node.typeParameters);
    const returns = this.#plain(node.returnType?.typeAnnotation);
    const end = returns && `: ${returns}`;
    const texts = parameters.map(({ name, type, isOptional }) => `${name}${isOptional ? "?" : ""}: ${type}`);
    const line = `${head}${types}(${texts.join(", ")})${end}`;
    const lines = `${head}${types}(\n${texts.map((text) => `  ${text},\n`).join("")})${end}`;
    return { code: line.length <= longestLine || texts.length === 0 ? line : lines, parameters, returns };
  }

  /** Returns the type of a property or parameter; without `undefined`, if it is optional. */
  #annotated({ optional, typeAnnotation }: Annotated): { isOptional: boolean; type: string } {
    const type = this.#plain(typeAnnotation?.typeAnnotation);
    return { isOptional: optional, type: optional ? type.replace(/ \| undefined$/, "") : type };
  }

  /** Returns the names of the types of a union or intersection. */
  #partsOf(type: TSType): string[] {
    if (type.type === "TSUnionType" || type.type === "TSIntersectionType")
      return type.types.flatMap((one) => this.#partsOf(one));
    return type.type === "TSTypeReference" ? [this.#plain(type)] : [];
  }

  #keyOf(key: Range & { type: string; name?: unknown; value?: unknown }): string {
    return key.type === "Identifier" ? String(key.name) : String(key.value);
  }

  /** Returns code on one line, without the name of the imported namespace of the contract's types. */
  #plain(node: Range | null | undefined): string {
    if (!node) return "";
    const line = this.#code(node).replaceAll(/\s*\n\s*/g, " ");
    return line.replaceAll(/;(?= \})/g, "").replaceAll(/\bschema\.(?=[A-Z])/g, "");
  }

  /** Returns code without comments and `declare`. */
  #code({ start, end }: Range): string {
    let text = "";
    let position = start;
    for (const comment of this.#comments) {
      if (comment.start < start || comment.end > end) continue;
      text += this.#text.slice(position, comment.start);
      position = comment.end;
    }
    text += this.#text.slice(position, end);
    const [margin = ""] = /^ */.exec(this.#text.slice(this.#text.lastIndexOf("\n", start) + 1)) ?? [];
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines
      .map((line) => line.replace(margin, "").replace(/^ +/, (indent) => indent.slice(indent.length / 2)))
      .join("\n")
      .replace(/^declare /, "")
      .replace(/;$/, "");
  }
}

interface Annotated {
  readonly optional: boolean;
  readonly typeAnnotation?: { readonly typeAnnotation: TSType } | null;
}

function nameOf(name: { type: string; name?: string; value?: string }): string {
  return name.name ?? name.value ?? "";
}
