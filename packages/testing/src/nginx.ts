import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { respondsOk, type ServerProcess, startServerProcess } from "./server-process.ts";

const documented = join(import.meta.dirname, "../../../deploy/nginx");

/**
 * Starts nginx with the documented configuration.
 *
 * @param program path of nginx
 * @param ports ports of the API processes
 */
export async function startNginx(
  program: string,
  ports: readonly number[],
): Promise<{ url: string; process: ServerProcess; logs(): string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "parley-nginx-"));
  const port = await freePort();
  const config = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  writeFileSync(
    config,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log error; worker_processes auto; events { worker_connections 4096; }
     http { access_log off; ${temporary.join(" ")} ${siteOf(ports, port)} }`,
  );
  const proxy = readFileSync(join(documented, "parley-proxy.conf"), "utf8");
  writeFileSync(join(folder, "proxy.conf"), proxy.replace("/var/log/nginx/", `${folder}/`));
  const url = `http://127.0.0.1:${port}`;
  const server = await startServerProcess({
    command: [program, "-c", config, "-p", folder],
    isReady: () => respondsOk(`${url}/healthz`),
  });
  return {
    url,
    process: server,
    logs: () => ["access.log", "error.log"].map((name) => readFileSync(join(folder, name), "utf8")).join(""),
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the documented configuration with these servers and without TLS. */
function siteOf(ports: readonly number[], port: number): string {
  const servers = ports.map((server) => `server 127.0.0.1:${server} fail_timeout=1s;`).join(" ");
  return readFileSync(join(documented, "parley.conf"), "utf8")
    .replace(/( *server 10\.0\.0\.\d+:8080 .+;\n)+/, `${servers}\n`)
    .replace(/listen .+;\n/g, "")
    .replace(/ *(ssl_|server_name).+;\n/g, "")
    .replace("include parley-proxy.conf;", `listen 127.0.0.1:${port}; include proxy.conf;`);
}
