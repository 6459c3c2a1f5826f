import { describe, expect, test } from "vitest";
import { useApi } from "../src/testing/api-server.ts";
import { sendRaw } from "../src/testing/raw-http.ts";

const api = useApi();

/** Returns the response to a request with these header lines. */
async function answerTo(requestLine: string, headerLines: string[]) {
  const lines = [requestLine, ...headerLines, "Connection: close", "", ""];
  const [response] = await sendRaw(api.url, lines.join("\r\n"));
  if (!response) throw new Error("the server closed the connection without an response");
  return response;
}

describe("RFC 9112 section 3.2: a request is rejected with 400", () => {
  const targets = [
    "GET /healthz",
    "GET /api/v1/leads",
    "OPTIONS /api/v1/leads",
    "GET /nowhere",
    "GET /docs/",
  ];

  test.each<[string, string[], string]>([
    ["without a Host header", [], "The Host header is missing."],
    [
      "with two different Host headers",
      ["Host: a.example", "Host: b.example"],
      "The Host header was sent more than once. Send it once.",
    ],
    [
      "with the same Host header twice",
      ["Host: a.example", "host: a.example"],
      "The Host header was sent more than once. Send it once.",
    ],
    ["with a list of hosts", ["Host: a.example, b.example"], "The Host header is not a valid host."],
    ["with a URL as Host", ["Host: http://a.example/"], "The Host header is not a valid host."],
    ["with a user name in Host", ["Host: user@a.example"], "The Host header is not a valid host."],
    ["with a path in Host", ["Host: a.example/path"], "The Host header is not a valid host."],
    ["with a space in Host", ["Host: a example"], "The Host header is not a valid host."],
    ["with a port that is not a number", ["Host: a.example:http"], "The Host header is not a valid host."],
    ["with a port above 65535", ["Host: a.example:65536"], "The Host header is not a valid host."],
    ["with an IPv6 address that is not closed", ["Host: [::1"], "The Host header is not a valid host."],
    ["with an IPv6 address that is not one", ["Host: [::g]"], "The Host header is not a valid host."],
    ["with bytes that are not ASCII", ["Host: ü.example"], "The Host header is not a valid host."],
  ])("%s", async (_name, headerLines, description) => {
    for (const target of targets) {
      const { status, headers, body } = await answerTo(`${target} HTTP/1.1`, headerLines);
      expect([target, status]).toEqual([target, 400]);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(JSON.parse(body)).toEqual({ error: "invalid_request", error_description: description });
    }
  });

  test("with an HTML page at paths of pages", async () => {
    const { status, headers, body } = await answerTo("GET /console/apps HTTP/1.1", []);
    expect([status, headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
    expect(body).toContain("The Host header is missing.");
  });
});

test.each<[string, string[]]>([
  ["GET /healthz HTTP/1.1", ["Host: a.example"]],
  ["GET /healthz HTTP/1.1", ["Host: A_b.example.:8080"]],
  ["GET /healthz HTTP/1.1", ["Host: 127.0.0.1:"]],
  ["GET /healthz HTTP/1.1", ["Host: [::1]:8080"]],
  ["GET /healthz HTTP/1.1", ["Host:"]], // Valid where the target has no authority.
  ["GET http://a.example/healthz HTTP/1.1", ["Host: a.example"]],
  ["GET /healthz HTTP/1.0", []],
])("%s with %j is accepted", async (requestLine, headerLines) => {
  expect((await answerTo(requestLine, headerLines)).status).toBe(200);
});
