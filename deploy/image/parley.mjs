#!/usr/bin/env node
// Runs a program of Parley by its role: `parley api`, `parley worker`, `parley migrate` or `parley admin …`.

/** @type {Record<string, { program: string, args?: string[] }>} */
const roles = {
  api: { program: "api" },
  worker: { program: "worker" },
  migrate: { program: "admin", args: ["migrate"] },
  admin: { program: "admin" },
};
const [role = "", ...args] = process.argv.slice(2);
const found = Object.hasOwn(roles, role) ? roles[role] : undefined;
if (found) {
  const main = new URL(`../../apps/${found.program}/src/main.mjs`, import.meta.url);
  process.argv = [process.execPath, main.pathname, ...(found.args ?? []), ...args];
  await import(main.href);
} else {
  console.error(
    `${role ? `Unknown role '${role}'.` : "The role is missing."} Roles:\n` +
      "  api        serves the API, the console and the documentation\n" +
      "  worker     sends webhook deliveries and runs scheduled jobs\n" +
      "  migrate    applies pending migrations and ends\n" +
      "  admin …    runs parley-admin, for example: admin organizations list\n" +
      "`api --help` and `worker --help` list the environment variables.",
  );
  process.exitCode = 2;
}
