import { type Declaration, type Member, type ReadFile, resolveName } from "./declarations.ts";
import type { DocComment } from "./doc-comment.ts";
import { isContract } from "./links.ts";

/** A property of a declaration. */
export interface Property {
  readonly member: Member;
  /** Where it is declared. */
  readonly file: string;
  readonly name: string;
}

/** Lists the properties, also those of bases that are not exported. A property has the comment of its base if it has none. */
export function propertiesOf(read: ReadFile, declaration: Declaration): Property[] {
  const found = new Map<string, Property>();
  const { file, name } = declaration;
  const bases = basesOf(read, declaration);
  for (const member of declaration.members) {
    // In a union, a property of the type undefined is one that only other types have.
    if (member.kind !== "property" || member.type === "undefined") continue;
    const doc = member.doc.description ? member.doc : (commentOf(read, bases, member.name) ?? member.doc);
    found.set(member.name, { member: { ...member, doc }, file, name });
  }
  for (const base of bases.filter((one) => isHelper(read, one))) {
    for (const property of propertiesOf(read, base)) {
      if (!found.has(property.member.name)) found.set(property.member.name, property);
    }
  }
  return [...found.values()];
}

/** Finds the comment of a property in the bases; undefined if none has a comment. */
function commentOf(read: ReadFile, bases: Declaration[], name: string): DocComment | undefined {
  for (const base of bases) {
    const own = base.members.find((member) => member.name === name)?.doc;
    const doc = own?.description ? own : commentOf(read, basesOf(read, base), name);
    if (doc) return doc;
  }
  return undefined;
}

/** Returns the declarations of the bases, except global types and types of the contract. */
export function basesOf(read: ReadFile, { file, bases }: Declaration): Declaration[] {
  return bases.flatMap((base) => {
    const name = /^\w+/.exec(base)?.[0] ?? "";
    const found = resolveName(read, file, name, isContract);
    if (!found || isContract(found.file)) return [];
    return read(found.file).declarations.get(found.name) ?? [];
  });
}

/** Returns whether a declaration is not exported by its file. */
export function isHelper(read: ReadFile, { file, name }: Declaration): boolean {
  return !read(file).exports.some((one) => one.name === name);
}

/** Lists the declarations of the same file that the code uses and that are not exported. */
export function helpersOf(
  read: ReadFile,
  { file, code }: Declaration,
  known = new Set<string>(),
): Declaration[] {
  return [...code.matchAll(/[A-Za-z_]\w*/g)].flatMap(([name]) => {
    const found = read(file).declarations.get(name);
    if (!found || known.has(name) || !isHelper(read, found)) return [];
    known.add(name);
    return [found, ...helpersOf(read, found, known)];
  });
}

/** Lists the names of all properties, also the inherited ones. */
export function allNames(read: ReadFile, declaration: Declaration): string[] {
  const own = declaration.members.filter(({ kind }) => kind === "property").map(({ name }) => name);
  return [...new Set([...own, ...basesOf(read, declaration).flatMap((base) => allNames(read, base))])];
}
