import { chownSync, copyFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@parley/database";
import { startPostgres } from "@parley/embedded-postgres";
import { type Certificate, createAuthority, type TestAuthority } from "@parley/testing/certificates";
import { makeTestFolder } from "@parley/testing/test-folder";

/** PostgreSQL server that accepts only TLS, with a certificate for `localhost` that a private CA issued. */
export interface TlsDatabase {
  /** URL of the database with `localhost` and the given parameters. */
  url(parameters?: Record<string, string>): string;
  /** URL with another host for the same server. */
  urlOfAddress(parameters: Record<string, string>): string;
  authority: TestAuthority;
  /** CA that issued no certificate of the server. */
  other: TestAuthority;
  /** Sets whether clients need a certificate of the CA. */
  requireClientCertificate(required: boolean): Promise<void>;
  stop(): Promise<void>;
}

export async function startTlsDatabase(): Promise<TlsDatabase> {
  const folder = makeTestFolder();
  const authority = createAuthority(folder, "ca");
  const other = createAuthority(folder, "other-ca");
  const certificate = authority.issue("server", { commonName: "localhost", names: ["DNS:localhost"] });
  const server = await startPostgres({ dataDir: join(folder, "data"), durable: false });
  const cluster = join(folder, "data/postgres/cluster");
  installFiles(cluster, certificate, authority.ca);
  let plain = server.url;

  async function reconfigure(rules: string, settings: Record<string, string> = {}): Promise<void> {
    const client = await connect(plain);
    for (const [name, value] of Object.entries(settings)) {
      await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
    }
    writeFileSync(join(cluster, "pg_hba.conf"), rules);
    await client.query("SELECT pg_reload_conf()");
    await client.end();
  }

  const files = { ssl_cert_file: "server.crt", ssl_key_file: "server.key", ssl_ca_file: "ca.crt" };
  const onlyTls = "hostssl all all 127.0.0.1/32 scram-sha-256";
  await reconfigure(`${onlyTls}\n`, { ssl: "on", ...files });

  function urlWith(hostname: string, parameters: Record<string, string>): string {
    const url = new URL(server.url);
    url.hostname = hostname;
    url.search = new URLSearchParams(parameters).toString();
    return url.href;
  }
  const verified = { sslmode: "verify-full", sslrootcert: authority.ca };
  plain = urlWith("localhost", verified);

  return {
    url: (parameters = verified) => urlWith("localhost", parameters),
    urlOfAddress: (parameters) => urlWith("127.0.0.1", parameters),
    authority,
    other,
    async requireClientCertificate(required) {
      const own = authority.issue("fixture", { commonName: "parley" });
      plain = urlWith("localhost", { ...verified, sslcert: own.cert, sslkey: own.key });
      await reconfigure(`${onlyTls}${required ? " clientcert=verify-full" : ""}\n`);
    },
    stop: () => server.stop(),
  };
}

/** Copies the files to the server's folder, where its user can read them. */
function installFiles(cluster: string, { cert, key }: Certificate, ca: string): void {
  const { uid, gid } = statSync(cluster);
  for (const [source, name] of [
    [cert, "server.crt"],
    [key, "server.key"],
    [ca, "ca.crt"],
  ] as const) {
    const target = join(cluster, name);
    copyFileSync(source, target);
    chownSync(target, uid, gid);
  }
}
