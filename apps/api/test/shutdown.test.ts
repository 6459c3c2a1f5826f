import { connect } from "node:net";
import { expect, test, vi } from "vitest";
import { startApi } from "./kit.ts";
import { parseAnswers } from "./raw-http.ts";

test("requests that are on their way when the server shuts down are answered", async () => {
  const api = await startApi();
  const { hostname, port, host } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => socket.on("end", resolve));
  const lines = [`Host: ${host}`, "Content-Type: application/json", "Content-Length: 2"];
  socket.write(["POST /api/oauth/token HTTP/1.1", ...lines, "", "{"].join("\r\n"));
  await vi.waitFor(async () => expect((await fetch(`${api.url}/healthz`)).status).toBe(200));

  const closed = api.close();
  await vi.waitFor(() => expect(fetch(`${api.url}/healthz`)).rejects.toThrow("fetch failed"), {
    timeout: 10_000,
  });
  socket.write(["}GET /readyz HTTP/1.1", `Host: ${host}`, "", ""].join("\r\n"));
  await ended;
  await closed;

  const [first, second] = parseAnswers(Buffer.concat(chunks));
  expect([first?.status, JSON.parse(first?.body ?? "").error]).toEqual([400, "invalid_request"]);
  expect([second?.status, second?.body]).toEqual([200, '{"status":"ok"}']); // The database is still connected.
  expect(second?.headers.get("connection")).toBe("close");
});
