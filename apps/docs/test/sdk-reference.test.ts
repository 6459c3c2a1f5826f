import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Page, plainText } from "../src/site/page.ts";
import { sdkPages } from "../src/site/pages/sdk.ts";
import { readContract } from "../src/site/read-contract.ts";
import { declarationReader, exportsOf } from "../src/site/sdk/declarations.ts";
import { parseDocComment } from "../src/site/sdk/doc-comment.ts";

const folder = dirname(fileURLToPath(import.meta.resolve("@parley/sdk/package.json")));
const { exports: paths } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
  exports: Record<string, string | { types: string; default: string }>;
};
const entryPoints = Object.entries(paths).flatMap(([path, target]) =>
  typeof target === "string" ? [] : [{ path, ...target }],
);
const contract = readContract();
const pages = sdkPages(contract);
const text = flat(pages.map(({ markdown }) => markdown).join("\n\n"));

/** Sections of a page with their headings. */
function sectionsOf({ markdown }: Page): { heading: string; body: string }[] {
  const [, ...sections] = markdown.replaceAll(/^```.*?^```$/gms, "CODE").split(/^(?=##+ )/m);
  return sections.map((section) => {
    const [heading = "", ...lines] = section.split("\n");
    return { heading: heading.replace(/^#+ /, ""), body: lines.join("\n").trim() };
  });
}

function flat(markdown: string): string {
  return plainText(markdown.replaceAll("\\|", "|").replaceAll(/\{@link\s+([\w.]+)\}/g, "$1"));
}

/** Returns the headings and titles that document an exported name. */
function documents(name: string): string[] {
  const isHeading = (heading: string) => heading.replace(/\(\).*$/, "") === name;
  return pages.flatMap((page) => [
    ...sectionsOf(page)
      .map(({ heading }) => heading)
      .filter(isHeading),
    ...(page.markdown.includes(`| [${name}](/docs/schemas/${name}) |`) ? ["schema"] : []),
    ...(page.markdown.includes(`Class \`${name}\`, which`) ? ["resource"] : []),
  ]);
}

test.each(entryPoints)("$path: each export has a section", async ({ types, default: program }) => {
  const declared = exportsOf(declarationReader(join(folder, "dist")), types.replace("./dist/", ""), (file) =>
    file.startsWith("generated/"),
  ).map(({ exportedAs }) => exportedAs);
  const running = Object.keys(await import(join(folder, program)));
  expect(running.filter((name) => !declared.includes(name))).toEqual([]);
  expect(declared.length).toBeGreaterThan(5);
  expect(declared.filter((name) => documents(name).length === 0)).toEqual([]);
});

test("each name in the text of the OAuth exports has a section", () => {
  const index = readFileSync(join(folder, "dist/oauth/index.d.ts"), "utf8");
  const names = [...index.matchAll(/\{(.*?)\}/gs)].flatMap(
    ([, list = ""]) => list.match(/\b(?!type\b)\w+/g) ?? [],
  );
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => documents(name).length === 0)).toEqual([]);
});

test("each section begins with a description", () => {
  const silent = pages
    .filter(({ path }) => path !== "sdk")
    .flatMap((page) => sectionsOf(page).map((section) => ({ ...section, path: page.path })))
    .filter(({ body }) => {
      const [first = ""] = body.split("\n\n");
      return !/^[A-Z\d`].*[.:]$/s.test(first) || /^(CODE|Inherits from|See also|Throws)/.test(first);
    });
  expect(silent.map(({ path, heading }) => `${path}: ${heading}`)).toEqual([]);
});

test("each property has a description", () => {
  const tables = pages.flatMap(({ markdown }) => markdown.match(/^\| Property \|.*(\n\|.*)*/gm) ?? []);
  const rows = tables.flatMap((text) => text.split("\n").slice(2));
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([]);
});

test("every text that an editor shows for an exported declaration is in the pages", () => {
  const files = globSync("{.,errors,http,oauth,resources,testing,webhooks,webhooks/receivers}/*.d.ts", {
    cwd: join(folder, "dist"),
  });
  const shown: string[] = [];
  const missing = files.flatMap((file) => {
    const declarations = readFileSync(join(folder, "dist", file), "utf8");
    return [...declarations.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s*((?:export )?[^\n]*)/gs)].flatMap(
      ([, comment = "", next = ""]) => {
        const [, name] =
          /^export (?:declare )?(?:abstract )?(?:class|function|interface|type|const) (\w+)/.exec(next) ?? [];
        const isPublic = name === undefined ? /^(readonly |\w+[<(])/.test(next) : documents(name).length > 0;
        if (!isPublic || /@(internal|packageDocumentation)/.test(comment) || isInternal(file)) return [];
        const { description, throws, parameters } = parseDocComment(comment);
        shown.push(comment);
        const texts = [description, ...throws, ...parameters.values()].map(flat).filter(Boolean);
        return texts
          .filter((part) => !text.toLowerCase().includes(part.toLowerCase()))
          .map((part) => `${file}: ${part}`);
      },
    );
  });
  expect(missing).toEqual([]);
  expect(shown.length).toBeGreaterThan(200);
});

/** Returns whether no entry point exports the interfaces of a file. */
function isInternal(file: string): boolean {
  return /^(session|http\/(exchange|retry|send|transport))\.d\.ts$/.test(file);
}

test("links types to sections and schemas, and members of the same class", () => {
  const markdown = (path: string) => pages.find((page) => page.path === path)?.markdown ?? "";
  expect(markdown("sdk/parley.leads")).toContain(
    "Returns [List](/docs/sdk/client#list)<[Lead](/docs/schemas/Lead), [LeadList](/docs/schemas/LeadList)>.",
  );
  expect(markdown("sdk/parley.webhooks")).toContain(
    "until you [`resume`](/docs/sdk/parley.webhooks#parley.webhooks.resume) it",
  );
  expect(markdown("sdk/client")).toContain("[`Events.follow`](/docs/sdk/parley.events#parley.events.follow)");
  expect(markdown("sdk/oauth")).toContain(
    "| `scopes` | readonly [Scope](/docs/schemas/Scope)[] | Granted scopes. |",
  );
});

test("shows the options of an alias, the inherited options, defaults and errors", () => {
  const client = pages.find(({ path }) => path === "sdk/client")?.markdown ?? "";
  const [options = ""] = /^## ParleyOptions$.*?(?=^## )/ms.exec(client) ?? [];
  expect(options).toContain(
    "| `onTokens` | ((tokens: [GrantedTokens](/docs/sdk/oauth#granted-tokens)) => void",
  );
  expect(options).toContain("Default: the environment variable `PARLEY_TOKEN`.");
  expect(options).toMatch(/- \[ConnectionOptions\]\(\/docs\/sdk\/client#connection-options\): .*`timeoutMs`/);
  expect(client).not.toMatch(/@internal|#private|\{@|\/\*\*/);
  expect(pages.find(({ path }) => path === "sdk/oauth")?.markdown).toContain(
    "- [`InvalidGrantError`](/docs/sdk/errors#invalid-grant-error) if the code is expired",
  );
});
