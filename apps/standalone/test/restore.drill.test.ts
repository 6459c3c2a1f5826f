import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { connect } from "@parley/database";
import { createSenders } from "@parley/database/testing/tenant";
import { type RunningPostgres, startPostgres } from "@parley/embedded-postgres";
import { startLeadLoad } from "@parley/testing/lead-load";
import { type ParleyProcess, startApiProcess, startWorkerProcess } from "@parley/testing/parley-process";
import { makeTestFolder } from "@parley/testing/test-folder";
import { expect, test } from "vitest";
import { inTurn, startReceiver, subscribe } from "./lead-events.ts";

/** Owner of PostgreSQL's files. Root starts it as another user. */
const isRoot = process.getuid?.() === 0;

test("a base backup under load and the archived log restore every acknowledged write, and deliveries go on", async () => {
  const folder = makeTestFolder();
  chmodSync(folder, 0o711); // PostgreSQL, which runs as another user, archives to it.
  const [original, restored, archive] = ["original", "restored", "archive"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const receiver = await startReceiver();
  const running: ParleyProcess[] = [];
  let postgres = await startPostgres({ dataDir: original });
  try {
    postgres = await startArchiving(postgres, original, archive);
    running.push(await startApiProcess(variables(postgres)), await startWorkerProcess(variables(postgres)));
    const [api] = running;
    const senders = await withClient(postgres.url, (client) => createSenders(client, 40, "business"));
    await inTurn(senders, ({ token }) => subscribe(api?.url ?? "", token, receiver.url));
    const load = startLeadLoad(api?.url ?? "", senders);
    await expect.poll(() => load.succeeded(), { timeout: 60_000 }).toBeGreaterThan(200);

    const backupMs = await timed(() => backUp(postgres.url, original, restored));
    const inBackup = new Set(load.created);
    const more = load.succeeded() + 200;
    await expect.poll(() => load.succeeded(), { timeout: 60_000 }).toBeGreaterThan(more);
    const archived = new Set(load.created); // All committed before the next segment of the log begins.
    const lastSegment = await switchSegment(postgres.url);
    await expect.poll(() => existsSync(join(archive, lastSegment)), { timeout: 60_000 }).toBe(true);

    // The machine is lost: nothing stops properly.
    for (const server of running) server.signal("SIGKILL");
    process.kill(
      Number(readFileSync(join(original, "postgres/cluster/postmaster.pid"), "utf8").split("\n")[0]),
      "SIGKILL",
    );
    await load.stop();
    await postgres.ended;
    expect(load.created.size).toBeGreaterThan(inBackup.size);

    const receivedBefore = receiver.leads.size;
    appendFileSync(
      join(restored, "postgres/cluster/postgresql.auto.conf"),
      `restore_command = 'cp ${archive}/%f %p'\n`,
    );
    writeFileSync(join(restored, "postgres/cluster/recovery.signal"), "");
    own(join(restored, "postgres"));
    const restoreMs = await timed(async () => {
      postgres = await startPostgres({ dataDir: restored });
      running.splice(
        0,
        2,
        await startApiProcess(variables(postgres)),
        await startWorkerProcess(variables(postgres)),
      );
    });

    const state = await readState(postgres.url);
    const lost = [...archived].filter((id) => !state.leads.has(id));
    expect(lost).toEqual([]);
    // Every restored lead has its event, and each is delivered, at least once.
    await expect
      .poll(() => [...state.leads].filter((id) => !receiver.leads.has(id)).length, { timeout: 60_000 })
      .toBe(0);
    await expect.poll(async () => (await readState(postgres.url)).pending, { timeout: 60_000 }).toBe(0);
    expect(await readState(postgres.url)).toMatchObject({ events: state.leads.size, failing: 0 });
    // Tokens of before the backup still work, and the server takes writes.
    const after = startLeadLoad(running[0]?.url ?? "", senders.slice(0, 10));
    await expect.poll(() => after.created.size, { timeout: 60_000 }).toBeGreaterThan(10);
    await after.stop();
    expect(after.failures).toEqual([]);
    await expect
      .poll(() => [...after.created].filter((id) => !receiver.leads.has(id)).length, { timeout: 60_000 })
      .toBe(0);

    console.log(
      [
        "| | |",
        "| --- | --- |",
        `| leads acknowledged before the end of the base backup | ${inBackup.size} |`,
        `| … before the last archived segment of the log | ${archived.size}, ${lost.length} missing after the restore |`,
        `| … after it, and lost with the machine | ${load.created.difference(state.leads).size} |`,
        `| delivered before the loss, and in all | ${receivedBefore}, ${receiver.leads.size} |`,
        `| base backup | ${(backupMs / 1_000).toFixed(1)} s |`,
        `| restore, until API and worker are ready | ${(restoreMs / 1_000).toFixed(1)} s |`,
      ].join("\n"),
    );
  } finally {
    for (const process of running) process.signal("SIGKILL");
    await postgres.stop();
    receiver.close();
  }
}, 300_000);

const variables = ({ url }: RunningPostgres) => ({
  DATABASE_URL: url,
  WEBHOOKS_ALLOW_LOOPBACK: "true",
  SHUTDOWN_DELAY_MS: "0",
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function withClient<Result>(
  url: string,
  work: (client: Awaited<ReturnType<typeof connect>>) => Promise<Result>,
): Promise<Result> {
  const client = await connect(url);
  client.on("error", () => undefined);
  await client.query("SET statement_timeout = '60s'"); // Archiving that fails would be waited for without end.
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Restarts the server with a log that is archived, as docs/operating/backup.md shows. */
async function startArchiving(
  postgres: RunningPostgres,
  dataDir: string,
  archive: string,
): Promise<RunningPostgres> {
  mkdirSync(archive);
  own(archive);
  await withClient(postgres.url, async (client) => {
    await client.query("ALTER SYSTEM SET archive_mode = on");
    await client.query(`ALTER SYSTEM SET archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`);
  });
  await postgres.stop();
  return startPostgres({ dataDir });
}

/** Makes a base backup with PostgreSQL's functions, which pg_basebackup uses too. */
function backUp(url: string, from: string, to: string): Promise<void> {
  return withClient(url, async (client) => {
    await client.query("SELECT pg_backup_start('drill', fast => true)");
    execFileSync("cp", ["-a", from, to], { stdio: "pipe" });
    const cluster = join(to, "postgres/cluster");
    execFileSync("sh", ["-c", `rm -rf ${cluster}/pg_wal/* ${cluster}/postmaster.*`]);
    const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop()");
    writeFileSync(join(cluster, "backup_label"), rows[0]?.labelfile ?? "");
  });
}

/** Ends the current segment of the log, and returns its name. */
function switchSegment(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>("SELECT pg_walfile_name(pg_switch_wal()) AS name");
    return rows[0]?.name ?? "";
  });
}

/** Gives a folder to the user as which root starts PostgreSQL. */
function own(path: string): void {
  if (!isRoot) return;
  const { uid, gid } =
    statSync(join(path, "../original/postgres/cluster"), { throwIfNoEntry: false }) ??
    statSync(join(path, "cluster"));
  execFileSync("chown", ["-R", `${uid}:${gid}`, path]);
}

interface State {
  leads: Set<string>;
  events: number;
  pending: number;
  failing: number;
}

function readState(url: string): Promise<State> {
  return withClient(url, async (client) => {
    const leads = await client.query<{ id: string }>("SELECT id FROM leads");
    const { rows } = await client.query<Omit<State, "leads">>(`
      SELECT (SELECT count(DISTINCT record_id)::int FROM events) AS events, (SELECT count(*)::int FROM deliveries) AS pending,
        (SELECT count(*)::int FROM subscriptions WHERE status <> 'active' OR failure_count > 0) AS failing`);
    return { leads: new Set(leads.rows.map(({ id }) => id)), ...(rows[0] as Omit<State, "leads">) };
  });
}
