import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeTestFolder } from "@parley/testing/test-folder";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Demo, startDemo } from "../../src/testing/demo.ts";

// Clients that third-party generators make from the description which the server serves.

const run = promisify(execFile);
const packageFolder = join(import.meta.dirname, "../..");
const folder = makeTestFolder();
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo();
  const response = await fetch(`${demo.url}/docs/openapi.json`);
  writeFileSync(join(folder, "openapi.json"), await response.text());
  symlinkSync(join(packageFolder, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
}, 120_000);
afterAll(() => demo.stop());

/** Runs a command of a package that apps/standalone depends on. */
const generate = (command: string, args: string[]) =>
  run(join(packageFolder, "node_modules/.bin", command), args, { cwd: folder });

/** A folder for the output of a generator. */
const folderOf = (name: string) => name.replaceAll(/\W/g, "_");

interface Generator {
  name: string;
  generate: (output: string) => Promise<unknown>;
  /** The file with the types. */
  types: string;
}

const generators: Generator[] = [
  {
    name: "@hey-api/openapi-ts",
    generate: (output) =>
      generate("openapi-ts", ["-i", "openapi.json", "-o", output, "-c", "@hey-api/client-fetch", "--silent"]),
    types: "types.gen.ts",
  },
  {
    name: "orval",
    generate: async (output) => {
      const target = (file: string, client: string) => ({
        input: "./openapi.json",
        output: { mode: "single", target: `./${output}/${file}`, client },
      });
      const config = { fetch: target("client.ts", "fetch"), zod: target("zod.ts", "zod") };
      writeFileSync(join(folder, "orval.config.mjs"), `export default ${JSON.stringify(config)};`);
      await generate("orval", ["--config", "orval.config.mjs"]);
    },
    types: "client.ts",
  },
  {
    name: "swagger-typescript-api",
    generate: (output) =>
      generate("swagger-typescript-api", [
        "generate",
        "--path=openapi.json",
        `--output=${output}`,
        "--name=client.ts",
        "--silent",
      ]),
    types: "client.ts",
  },
];

/** Compiler options that are stricter than most projects have. */
const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: "es2024",
  module: "esnext",
  moduleResolution: "bundler",
  lib: ["es2024", "dom", "dom.iterable"],
  types: [],
  skipLibCheck: true,
};

/** Names that generators invent for schemas without a name. orval's types for each status are not among them. */
const invented = /^(?!.*Response\d{3}$).*(\d|Inline\w*|(One|Any|All)Of\w*)$/;

describe.each(generators)("$name", ({ name, generate: generateInto, types }) => {
  const output = folderOf(name);

  it("generates types with the names of the contract, which pass a strict type check", async () => {
    mkdirSync(join(folder, output));
    await generateInto(output);
    const source = readFileSync(join(folder, output, types), "utf8");
    const names = [...source.matchAll(/^export (?:type|interface|enum|const) (\w+)/gm)].map(
      ([, each = ""]) => each,
    );
    expect(names).toEqual(
      expect.arrayContaining(["Lead", "LeadList", "ApiError", "WebhookEvent", "LeadCreatedEvent"]),
    );
    expect(names.filter((each) => invented.test(each))).toEqual([]);

    const project = join(folder, `tsconfig.${output}.json`);
    writeFileSync(project, JSON.stringify({ compilerOptions, include: [output] }));
    const tsc = join(packageFolder, "../../node_modules/.bin/tsc");
    await expect(run(tsc, ["-p", project], { cwd: folder })).resolves.toMatchObject({ stdout: "" });
  }, 120_000);
});

interface Result {
  data?: unknown;
  error?: unknown;
  response: Response;
}
type Call = (options: object) => Promise<Result>;

/** The client of @hey-api/openapi-ts. It calls the server that the description names. */
async function importClient(): Promise<
  Record<"listLeads" | "createLead" | "createWebhookSubscription", Call>
> {
  return import(join(folder, folderOf("@hey-api/openapi-ts"), "index.ts"));
}

describe("the client of @hey-api/openapi-ts", () => {
  it("lists and creates leads, subscribes, and receives errors", async () => {
    const client = await importClient();
    const auth = () => demo.token;
    const listed = await client.listLeads({ auth, query: { limit: 1 } });
    expect(listed.data).toMatchObject({ data: [{ type: "lead" }], meta: { limit: 1, count: 1 } });
    const { data } = listed.data as { data: [{ attributes: { chatbot_id: string } }] };

    const body = { chatbot_id: data[0].attributes.chatbot_id, contact: { name: "Ada Novak" } };
    const created = await client.createLead({ auth, body });
    expect(created.response.status).toBe(201);
    expect(created.data).toMatchObject({ data: { attributes: { contact: { name: "Ada Novak" } } } });

    const subscription = { target_url: "http://127.0.0.1:9/hook", event_types: ["lead.created"] };
    const subscribed = await client.createWebhookSubscription({ auth, body: subscription });
    expect(subscribed.data).toMatchObject({ data: { status: "active" } });

    const refused = await client.listLeads({ auth, query: { limit: 500 } });
    expect(refused.response.status).toBe(400);
    expect(refused.error).toMatchObject({ error: "invalid_request" });
  });
});
