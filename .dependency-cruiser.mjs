/** Which folder may import which. `npm run lint` checks it. */

/** Apps that are made of other apps. */
const compositions = "^(apps/(standalone|zapier)|packages/(benchmarks|cli|n8n-nodes-parley))/";

/** Describes the commands and options of both command lines. */
const commandLines = "^apps/docs/src/site/pages/command-line\\.ts$";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-circles",
      comment: "Files that import each other cannot be understood one at a time.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-imports-between-apps",
      comment:
        "What two apps need belongs in a package. The reference's built files and samples are data. The documentation shows the help texts of the command lines.",
      severity: "error",
      from: { path: "^apps/([^/]+)/", pathNot: [compositions, commandLines] },
      to: { path: "^apps/", pathNot: ["^apps/$1/", "^apps/docs/"] },
    },
    {
      name: "no-app-in-a-package",
      comment: "Packages are what apps are made of.",
      severity: "error",
      from: { path: "^packages/", pathNot: compositions },
      to: { path: "^apps/" },
    },
    ...layer("contract", []),
    ...layer("command-line", []),
    ...layer("cli", ["command-line", "config", "contract", "sdk", "testing"]),
    ...layer("config", []),
    ...layer("monitoring", ["config"]),
    ...layer("embedded-postgres", ["testing"]),
    ...layer("sdk", ["testing"]),
    ...layer("testing", []),
    ...layer("ui", ["testing"]),
    ...layer("database", ["contract", "config", "embedded-postgres", "testing"]),
    ...layer("resources", ["contract", "database"]),
    ...layer("webhooks", ["contract", "config", "database", "monitoring", "testing"]),
    {
      name: "no-test-support-in-programs",
      comment: "Only tests use test support.",
      severity: "error",
      from: {
        path: "^(packages|apps)/[^/]+/src/",
        pathNot: ["\\.test\\.ts$", "/(testing|attacks|third-party-clients)/", "^packages/benchmarks/"],
      },
      to: { path: ["/src/testing/", "^packages/testing/"] },
    },
    {
      name: "no-imports-from-tests-of-others",
      comment: "What several packages test with is in src/testing.",
      severity: "error",
      from: { path: "^((?:packages|apps)/[^/]+)/" },
      to: { path: "^(packages|apps)/[^/]+/test/", pathNot: "^$1/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["/generated/", "/dist/", "/testProjects/"] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "default"] },
  },
};

/**
 * Lists the packages that one package may import.
 *
 * @param {string} name
 * @param {string[]} allowed
 */
function layer(name, allowed) {
  return [
    {
      name: `${name}-imports`,
      comment: "Imports run one way; docs/architecture.md shows it.",
      severity: "error",
      from: { path: `^packages/${name}/src/` },
      to: { path: "^packages/", pathNot: [name, ...allowed].map((other) => `^packages/${other}/`) },
    },
  ];
}
