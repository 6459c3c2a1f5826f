import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const file = join(import.meta.dirname, "hovered.ts");
const text = `
import type { Parley } from "@parley/sdk";
import type { WebhookEvent } from "@parley/sdk/webhooks";
declare const parley: Parley;
declare const event: WebhookEvent<"lead.created">;
const created = await parley.leads.create({ chatbot_id: "", contact: {} });
const page = await parley.leads.list();
const [lead] = page.data;
const status = created.data.attributes.status;
const subscribed = await parley.webhooks.subscribe({ target_url: "", event_types: [] });
`;

/** Returns what an editor shows for a name of the text. */
function hoverOf(name: string): string {
  const source = (path: string) => (path === file ? text : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const content = source(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => import.meta.dirname,
    getCompilationSettings: () => ({
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
      strict: true,
      types: [],
    }),
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: source,
    readDirectory: (...args) => ts.sys.readDirectory(...args),
    directoryExists: (path) => ts.sys.directoryExists(path),
  });
  const at = text.search(new RegExp(`(?<=const \\[?)${name}\\b`));
  return ts.displayPartsToString(service.getQuickInfoAtPosition(file, at)?.displayParts);
}

test.each([
  ["created", "const created: LeadResponse"],
  ["page", "const page: LeadList"],
  ["lead", "const lead: Lead"],
  ["status", "const status: LeadStatus"],
  ["event", "const event: LeadCreatedEvent"],
  ["subscribed", "const subscribed: CreatedSubscriptionResponse"],
])("an editor shows the named type of %s", (name, shown) => {
  expect(hoverOf(name)).toBe(shown);
});
