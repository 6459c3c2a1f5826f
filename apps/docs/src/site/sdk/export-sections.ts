import type { SdkExport, SdkPackage } from "./entry-points.ts";
import { keyOf, memberSections, type Section, textOf } from "./sections.ts";

/** Lists the exports of entry points. What several of them export is listed once. */
export function exportsOfEntryPoints(
  { entryPoints }: SdkPackage,
  isWanted: (name: string) => boolean,
): SdkExport[] {
  const found = entryPoints.filter(({ name }) => isWanted(name)).flatMap(({ exports }) => exports);
  return [...new Map(found.map((one) => [keyOf(one), one])).values()];
}

/** Returns a section for each export: classes and functions, each followed by the types that it uses. */
export function sectionsOf(sdk: SdkPackage, exports: SdkExport[]): Section[] {
  const repeated = new Set(
    exports.map(({ name }) => name).filter((name, index, names) => names.indexOf(name) !== index),
  );
  return inReadingOrder(exports).flatMap((one) => {
    const { declaration, exportedAs, file, doc } = one;
    const call = declaration?.kind === "function" ? "()" : "";
    const from = repeated.has(one.name) ? ` of ${entryPointOf(sdk, file)}` : "";
    const section: Section = {
      heading: `${exportedAs}${call}${from}`,
      level: 2,
      key: keyOf(one),
      text: (links) =>
        declaration ? textOf(sdk.read, declaration, links) : links.describe(doc.description, file),
    };
    const prefix = exportedAs.charAt(0).toLowerCase() + exportedAs.slice(1);
    return [section, ...(declaration ? memberSections(declaration, { level: 3, prefix }) : [])];
  });
}

/** Returns the only entry point that exports from a file, without the name of the package. */
function entryPointOf({ name, entryPoints }: SdkPackage, file: string): string {
  const found = entryPoints.find(({ exports }) => exports.some((one) => one.file === file));
  return found?.name.replace(`${name}/`, "") ?? "";
}

/** Orders exports: classes, functions and constants, each before the types that its code names, then other types. */
function inReadingOrder(exports: SdkExport[]): SdkExport[] {
  const ordered = new Set<SdkExport>();
  const isValue = ({ declaration, isType }: SdkExport) => declaration !== undefined && !isType;
  for (const value of exports.filter(isValue)) add(value);
  for (const type of exports) add(type);
  return [...ordered];

  function add(one: SdkExport): void {
    if (ordered.has(one)) return;
    ordered.add(one);
    const used = new Set(one.declaration?.code.match(/[A-Za-z_]\w*/g));
    for (const other of exports) if (used.has(other.name) && !isValue(other)) add(other);
  }
}
