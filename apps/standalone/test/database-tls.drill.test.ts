import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { applyMigrations, connect, createDatabase, createPool, startListener } from "@parley/database";
import type { Program } from "@parley/testing/program";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startTlsDatabase, type TlsDatabase } from "../src/testing/tls-database.ts";
import { startScript } from "./spawned.ts";

let server: TlsDatabase;
beforeAll(async () => {
  server = await startTlsDatabase();
  await applyMigrations(server.url());
});
afterAll(() => server.stop());

const verified = () => ({ sslmode: "verify-full", sslrootcert: server.authority.ca });

const programs = { API: "apps/api/src/main.mjs", worker: "apps/worker/src/main.mjs" };

function startProgram(script: string, url: string, variables: Record<string, string> = {}): Program {
  const child = startScript(script, {
    DATABASE_URL: url,
    PARLEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    PORT: "0",
    SHUTDOWN_DELAY_MS: "0",
    LOG_LEVEL: "trace",
    ...variables,
  });
  onTestFinished(child.kill);
  return child;
}

/** Returns the output of a program that does not start. */
async function outputOfFailedStart(script: string, url: string): Promise<string> {
  const child = startProgram(script, url);
  await expect(child.output(/Server listening|delivery worker started/)).rejects.toThrow("ended");
  return child.text();
}

/** Connects in every way that Parley connects, and returns the errors. */
async function errorsOfEveryConnection(url: string): Promise<string[]> {
  const pool = createPool(url);
  const db = createDatabase(url);
  const listening = new Promise<void>((resolve, reject) => {
    const listener = startListener(url, "test", { opened: resolve, notified: () => undefined, lost: reject });
    onTestFinished(() => listener.stop());
  });
  const results = await Promise.allSettled([
    connect(url).then((client) => client.end()),
    applyMigrations(url),
    pool.query("SELECT 1"),
    db.$queryRaw`SELECT 1`,
    db.select({ text: "SELECT 1", values: [] } as never),
    listening,
  ]);
  await Promise.all([pool.end(), db.$disconnect()]);
  return results.map((result) =>
    result.status === "rejected" ? String(result.reason.message) : "connected",
  );
}

it("encrypts all connections of the API and a worker", async () => {
  const url = server.url({ ...verified(), sslmode: "require" });
  const api = startProgram(programs.API, url);
  const worker = startProgram(programs.worker, url);
  await api.output(/Server listening at/);
  await worker.output(/delivery worker started/);

  const client = await connect(server.url());
  onTestFinished(() => client.end());
  const { rows } = await client.query(
    `SELECT application_name AS name, bool_and(ssl) AS encrypted, count(*) > 1 AS several
     FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
     WHERE backend_type = 'client backend' AND state <> 'starting' AND pid <> pg_backend_pid() GROUP BY 1 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { name: "parley", encrypted: true, several: true },
    { name: "parley-jobs", encrypted: true, several: expect.any(Boolean) },
  ]);
  const logs = api.text() + worker.text();
  expect(logs).not.toMatch(/SECURITY WARNING|not encrypted/);
  expect(logs).not.toContain(new URL(url).password);
});

describe("every connection is refused", () => {
  const cases: [string, () => string, string][] = [
    [
      "if another CA issued the certificate",
      () => server.url({ ...verified(), sslrootcert: server.other.ca }),
      "The certificate is not signed by a trusted CA. Set sslrootcert in the URL",
    ],
    [
      "with sslmode=require and no CA, because require verifies too",
      () => server.url({ sslmode: "require" }),
      "The certificate is not signed by a trusted CA. Set sslrootcert in the URL",
    ],
    [
      "with ssl=true and no CA",
      () => server.url({ ssl: "true" }),
      "The certificate is not signed by a trusted CA.",
    ],
    [
      "if the certificate is for another host",
      () => server.urlOfAddress(verified()),
      "IP: 127.0.0.1 is not in the cert's list: . The certificate is for another host.",
    ],
    [
      "with sslmode=verify-ca if the certificate is for another host",
      () => server.urlOfAddress({ ...verified(), sslmode: "verify-ca" }),
      "The certificate is for another host. Use a host name in the URL that the certificate contains.",
    ],
    [
      "without TLS if the server requires it",
      () => server.url({ sslmode: "disable" }),
      "The server requires TLS. Set sslmode=verify-full in the URL.",
    ],
  ];

  it.each(cases)("%s", async (_, url, reason) => {
    const errors = await errorsOfEveryConnection(url());
    expect(errors).toHaveLength(6);
    for (const error of errors) {
      expect(error).toContain("(DATABASE_URL or DATABASE_DIRECT_URL) failed: ");
      expect(error).toContain(reason);
    }
  });

  it.each(Object.entries(programs))(
    "by the %s when it starts, without showing the password",
    async (_, script) => {
      const url = server.url({ ...verified(), sslrootcert: server.other.ca });
      const output = await outputOfFailedStart(script, url);
      expect(output).toMatch(
        /^Parley failed to start\. The TLS connection to the database at localhost \(DATABASE_URL or DATABASE_DIRECT_URL\) failed: /,
      );
      expect(output).toContain("Set sslrootcert in the URL to a file with the certificate of the CA.");
      expect(output).not.toContain(new URL(url).password);
    },
  );

  it("by parley-admin", () => {
    const url = server.url({ sslmode: "require" });
    const program = join(import.meta.dirname, "../../admin/src/main.mjs");
    const { status, stderr } = spawnSync(process.execPath, [program, "organizations", "list"], {
      env: { DATABASE_URL: url },
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining("Set sslrootcert in the URL")]);
    expect(stderr).not.toContain(new URL(url).password);
  });
});

it("does not verify the certificate only with sslmode=no-verify", async () => {
  const client = await connect(server.urlOfAddress({ sslmode: "no-verify" }));
  const { rows } = await client.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
  await client.end();
  expect(rows).toEqual([{ ssl: true }]);
});

it("authenticates with a client certificate", async () => {
  const { authority, other } = server;
  await server.requireClientCertificate(true);
  onTestFinished(() => server.requireClientCertificate(false));
  const filesOf = ({ cert, key }: { cert: string; key: string }) => ({ sslcert: cert, sslkey: key });
  const right = filesOf(authority.issue("client", { commonName: "parley" }));
  const foreign = filesOf(other.issue("foreign-client", { commonName: "parley" }));

  const errors = await errorsOfEveryConnection(server.url({ ...verified(), ...right }));
  expect(errors).toEqual(Array(6).fill("connected"));
  await expect(connect(server.url(verified()))).rejects.toThrow("requires a valid client certificate");
  await expect(connect(server.url({ ...verified(), ...foreign }))).rejects.toThrow(
    /unknown ca|ECONNRESET|terminated/,
  );
});
