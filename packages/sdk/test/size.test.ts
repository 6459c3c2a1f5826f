import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

const source = `${import.meta.dirname}/../src`;

interface Bundle {
  readonly gzipped: number;
  /** Modules that the bundle imports. */
  readonly imports: readonly string[];
  /** Files in the bundle, relative to src/ or node_modules/. */
  readonly modules: readonly string[];
}

/** Bundles and minifies a module with everything it imports. */
async function bundle(code: string): Promise<Bundle> {
  const entry = "entry.ts";
  const build = await rolldown({
    input: entry,
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
  });
  const { output } = await build.generate({ minify: true });
  await build.close();
  const [chunk] = output;
  const files = Object.keys(chunk.modules).filter((id) => id !== entry);
  const modules = files.map((id) => id.replace(/^.*?\/(src|node_modules)\//, ""));
  return { gzipped: gzipSync(chunk.code).length, imports: chunk.imports, modules };
}

// 1.5 kB plus 0.1 kB for the messages, which say what was compared when a signature does not match, and 0.1 kB for webhook-signature.
test("@parley/sdk/webhooks is at most 1.7 kB and imports nothing from other folders", async () => {
  const { gzipped, imports, modules } = await bundle(`export * from "${source}/webhooks/index.ts"`);
  expect(imports).toEqual([]);
  expect(modules.filter((id) => !id.startsWith("webhooks/"))).toEqual([]);
  expect(gzipped).toBeLessThanOrEqual(1700);
});

test("@parley/sdk/webhooks/public-key is at most 2.4 kB and does not load the other verification", async () => {
  const { gzipped, imports, modules } = await bundle(
    `export * from "${source}/webhooks/public-key/index.ts"`,
  );
  expect(imports).toEqual([]);
  expect(
    modules.filter((id) => !id.startsWith("webhooks/") || /receivers|webhooks\/(verify|sign)/.test(id)),
  ).toEqual([]);
  expect(gzipped).toBeLessThanOrEqual(2400);
});

test("a client with polling and OAuth is at most 6.1 kB", async () => {
  const names = "Parley, poll, authorizeUrl, createPkce, exchangeCode, handleCallback";
  const { gzipped, imports, modules } = await bundle(`export { ${names} } from "${source}/index.ts"`);
  expect(imports).toEqual([]);
  expect(modules.filter((id) => /openapi-fetch|testing|examples/.test(id))).toEqual([]);
  expect(gzipped).toBeLessThanOrEqual(6100);
});

test("unused modules are not bundled", async () => {
  const { modules } = await bundle(`export { authorizeUrl } from "${source}/index.ts"`);
  expect(modules.some((id) => id.includes("openapi-fetch"))).toBe(false);
});
