import { expect, test } from "vitest";
import { timestamp, useAccount } from "./service.ts";

// The links with which a chatbot platform signs its customers in to the console.

const { service, account } = useAccount();

interface Link {
  url: string;
  expires_at: string;
  role: string;
}

function create(body: object, token = service.platformKey) {
  const path = `/api/platform/v1/organizations/${account.organizationId}/console-links`;
  return service.send<Link>("POST", path, { token, body });
}

async function open(url: string, headers: Record<string, string> = {}) {
  const { pathname, search } = new URL(url);
  return service.send("GET", pathname + search, { headers });
}

test("a link is 201 with url, expires_at and role", async () => {
  const { status, body } = await create({ role: "member" });
  expect([status, body]).toEqual([
    201,
    {
      data: {
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/console\/link\?token=[\w-]+$/),
        expires_at: timestamp,
        role: "member",
      },
      meta: { api_version: "2024-01-01" },
    },
  ]);
});

test.each([
  ["role", {}],
  ["role", { role: "user" }],
  ["expires_in", { role: "member", expires_in: 29 }],
  ["expires_in", { role: "member", expires_in: 901 }],
  ["return_to", { role: "member", return_to: "https://example.com/" }],
])("a wrong %s is 400 invalid_request: %j", async (field, body) => {
  const response = await create(body);
  expect([response.status, response.body.error]).toEqual([400, "invalid_request"]);
  expect(response.body.error_description).toContain(field);
});

test("without a platform key, it is 401", async () => {
  const { access_token } = await account.tokens();
  expect((await create({ role: "member" }, access_token)).status).toBe(401);
});

test("an unknown organization is 404", async () => {
  const path = "/api/platform/v1/organizations/01928c5e-7000-7a11-8c33-1a2b3c4d5e6f/console-links";
  const body = { role: "member" };
  const response = await service.send("POST", path, { token: service.platformKey, body });
  expect([response.status, response.body.error]).toEqual([404, "not_found"]);
});

test("the link redirects with 303 to the page once, and then is 410", async () => {
  const { body } = await create({ role: "admin", name: "Ada Novak", return_to: "/console/clients" });
  const opened = await open(body.data.url);
  expect([opened.status, opened.headers.get("location")]).toEqual([303, "/console/clients"]);
  expect(opened.headers.get("referrer-policy")).toBe("no-referrer");
  const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const page = await service.send("GET", "/console/clients", { headers: { cookie } });
  expect(page.status).toBe(200);
  expect(page.body).toContain("Ada Novak");
  expect((await open(body.data.url)).status).toBe(410);
});
