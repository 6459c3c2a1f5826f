import { expect, test } from "vitest";
import type { Contract, Operation } from "./calls.ts";
import { withSamples } from "./samples.ts";

const contract = {
  paths: {
    "/api/v1/things/{id}": {
      parameters: [{ $ref: "#/components/parameters/ThingId" }],
      post: {
        operationId: "paintThing",
        security: [{ oauth2: [] }],
        parameters: [
          { name: "limit", in: "query", example: 20, schema: { default: 20 } },
          { name: "dry", in: "query", example: true, schema: {} },
        ],
        requestBody: { content: { "application/json": { example: { colour: "rosé d'été" } } } },
        responses: {},
      },
    },
    "/page": { get: { operationId: "showPage", responses: { 200: { content: { "text/html": {} } } } } },
  },
  components: { parameters: { ThingId: { name: "id", in: "path", example: "a b", schema: {} } } },
} satisfies Contract;

function sampleOf(path: keyof typeof contract.paths, method: string, label: string): string | undefined {
  const { paths } = withSamples(contract, "http://127.0.0.1:8080");
  const operation = paths[path]?.[method] as Operation | undefined;
  return operation?.["x-codeSamples"]?.find((sample) => sample.label === label)?.source;
}

test("calls an operation without an SDK method through the raw client", () => {
  expect(
    sampleOf("/api/v1/things/{id}", "post", "TypeScript"),
  ).toBe(`import { Parley, rawClient } from "@parley/sdk";

const parley = new Parley({
  baseUrl: "http://127.0.0.1:8080",
  accessToken: process.env.ACCESS_TOKEN ?? "",
});

const { data, error } = await rawClient(parley).POST("/api/v1/things/{id}", {
  params: { path: { id: "a b" }, query: { dry: true } },
  body: { colour: "rosé d'été" },
});
console.log(data ?? error);`);
});

test("escapes IDs and quotes for the shell and the URL", () => {
  expect(
    sampleOf("/api/v1/things/{id}", "post", "curl"),
  ).toBe(`curl "http://127.0.0.1:8080/api/v1/things/a%20b?dry=true" \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{
  "colour": "rosé d'\\''été"
}'`);
});

test("creates no sample for a page", () => {
  expect(sampleOf("/page", "get", "curl")).toBeUndefined();
});
