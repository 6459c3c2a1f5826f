import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startNginx } from "@parley/testing/nginx";
import { expect, onTestFinished, test } from "vitest";

const program = execFileSync("sh", ["-c", "PATH=$PATH:/usr/sbin command -v nginx || true"], {
  encoding: "utf8",
}).trim();

test.skipIf(program === "")(
  "the documented nginx logs no query and no token of a console link, and sets HSTS",
  async () => {
    const api = createServer((_request, response) => response.end("ok"));
    await once(api.listen(0, "127.0.0.1"), "listening");
    const nginx = await startNginx(program, [(api.address() as AddressInfo).port]);
    onTestFinished(() => nginx.stop());
    const token = "parley_cl_secret";
    const response = await fetch(`${nginx.url}/console/link?token=${token}`);
    expect(response.headers.get("strict-transport-security")).toBe("max-age=31536000");
    await fetch(`${nginx.url}/api/v1/leads?email=${token}`);
    api.close();
    api.closeAllConnections();
    expect((await fetch(`${nginx.url}/console/link?token=${token}`)).status).toBe(502);
    await expect
      .poll(() => nginx.logs())
      .toMatch(/"GET \/console\/link HTTP\/1\.1" 200 [\s\S]*"GET \/api\/v1\/leads HTTP\/1\.1" 200 /);
    expect(nginx.logs()).not.toContain(token);
  },
);
