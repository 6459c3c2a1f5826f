// `pnpm run migrate`, with the arguments of `prisma migrate dev`: writes the migration that leads from the existing
// ones to schema.prisma. Without DATABASE_URL it works on a PostgreSQL server of its own, for as long as it takes.
import { spawnSync } from "node:child_process";
import { startPostgres } from "../embedded/start-postgres.ts";
import { makeTestFolder } from "../testing/test-folder.ts";

function migrate(url: string): void {
  const env = { ...process.env, DATABASE_URL: url };
  const { status } = spawnSync("prisma", ["migrate", "dev", ...process.argv.slice(2)], {
    env,
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
}

if (process.env.DATABASE_URL) migrate(process.env.DATABASE_URL);
else {
  const server = await startPostgres({ dataDir: makeTestFolder(), durable: false });
  migrate(server.url);
  await server.stop();
}
