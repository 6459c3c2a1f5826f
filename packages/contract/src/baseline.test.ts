import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { compareContracts, type Description } from "./compare.ts";
import { description } from "./description.ts";

const packageFolder = join(import.meta.dirname, "..");
const baseline: Description = JSON.parse(readFileSync(join(packageFolder, "baseline.json"), "utf8"));
const changelog = readFileSync(join(packageFolder, "../../openapi/chapters/changelog.md"), "utf8");

test("every breaking change since the baseline is in the changelog", () => {
  const changes = compareContracts(baseline, description as object as Description);
  for (const { place, action, isBreaking } of changes) {
    console.log(`${isBreaking ? "BREAKING " : ""}${action}: ${place}`);
  }
  // List it in openapi/chapters/changelog.md as printed, in backticks. Before a release, `npm run contract:baseline` is enough.
  const missing = changes.filter(
    ({ isBreaking, place }) => isBreaking && !changelog.includes(`\`${place}\``),
  );
  expect(missing).toEqual([]);
});

function pick(from: object, keys: string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
}

type Components = Record<string, Record<string, object>>;

/** Returns the components that a part of the contract refers to, also through other components. */
function componentsOf(part: object, found: Components = {}): Components {
  const all: Components = description.components;
  for (const [, kind = "", name = ""] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
    const component = all[kind]?.[name];
    if (!component || found[kind]?.[name]) continue;
    found[kind] = { ...found[kind], [name]: component };
    componentsOf(component, found);
  }
  return found;
}

describe("compareContracts", () => {
  type Edited = ReturnType<typeof structuredClone<typeof description>>;

  /** A part of the contract, since the comparison of all of it takes half a second. */
  const places = {
    paths: {
      "/api/v1/leads": pick(description.paths["/api/v1/leads"], ["get", "post"]),
      "/api/v1/leads/{id}": pick(description.paths["/api/v1/leads/{id}"], ["get"]),
      "/api/v1/tickets": pick(description.paths["/api/v1/tickets"], ["post"]),
    },
    webhooks: pick(description.webhooks, ["lead.created", "usage.threshold_reached"]),
  };
  const part = { ...description, ...places, components: componentsOf(places) } as object as Edited;

  function changesAfter(edit: (copy: Edited) => void) {
    const copy = structuredClone(part);
    edit(copy);
    return compareContracts(part as object as Description, copy as object as Description);
  }

  const breaking: [string, (copy: Edited) => void, string][] = [
    [
      "a removed operation",
      ({ paths }) => Reflect.deleteProperty(paths["/api/v1/leads"], "post"),
      "POST /api/v1/leads",
    ],
    [
      "a removed webhook",
      ({ webhooks }) => Reflect.deleteProperty(webhooks, "lead.created"),
      "webhook lead.created",
    ],
    [
      "a removed response property",
      ({ components }) => Reflect.deleteProperty(components.schemas.LeadAttributes.properties, "score"),
      "GET /api/v1/leads/{id} responses 200 data attributes score",
    ],
    [
      "a removed property of an event",
      ({ components }) => Reflect.deleteProperty(components.schemas.UsageAttributes.properties, "used"),
      "webhook usage.threshold_reached data attributes used",
    ],
    [
      "a newly required request property",
      ({ components }) => components.schemas.LeadCreate.required.push("score"),
      "POST /api/v1/leads requestBody required 2",
    ],
    [
      "a value that requests no longer accept",
      ({ components }) => components.schemas.LeadStatusInput.enum.pop(),
      "GET /api/v1/leads parameters 5 enum 3",
    ],
    [
      "a tighter limit",
      ({ components }) => (components.schemas.TicketCreate.properties.subject.maxLength = 10),
      "POST /api/v1/tickets requestBody subject maxLength",
    ],
    [
      "another type",
      ({ components }) => (components.schemas.LeadAttributes.properties.score.type = "string"),
      "GET /api/v1/leads/{id} responses 200 data attributes score type",
    ],
    [
      "another scope",
      ({ paths }) => (paths["/api/v1/leads"].get.security[0] = { oauth2: ["leads:write"] }),
      "GET /api/v1/leads security 0 oauth2 0",
    ],
  ];

  it.each(breaking)("reports %s as breaking", (_, edit, place) => {
    expect(changesAfter(edit)).toContainEqual(expect.objectContaining({ place, isBreaking: true }));
  });

  const compatible: [string, (copy: Edited) => void][] = [
    [
      "a new response property",
      ({ components }) =>
        Object.assign(components.schemas.LeadAttributes.properties, { country: { type: "string" } }),
    ],
    [
      "a new optional request property",
      ({ components }) =>
        Object.assign(components.schemas.LeadCreate.properties, { country: { type: "string" } }),
    ],
    ["a new operation", ({ paths }) => Object.assign(paths, { "/api/v1/orders": paths["/api/v1/leads"] })],
    [
      "a new value of an open list",
      ({ components }) => components.schemas.LeadStatus["x-extensible-enum"].push("lost"),
    ],
  ];

  it.each(compatible)("reports %s as compatible", (_, edit) => {
    const changes = changesAfter(edit);
    expect(changes).not.toEqual([]);
    expect(changes.filter(({ isBreaking }) => isBreaking)).toEqual([]);
  });

  it("ignores texts", () => {
    expect(changesAfter(({ components }) => (components.schemas.Lead.description = "A person."))).toEqual([]);
  });
});
