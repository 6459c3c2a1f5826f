import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@parley/database";
import { findInstalled } from "@parley/testing/installed";
import { scrape } from "@parley/testing/scrape";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Demo, startDemo } from "../src/testing/demo.ts";
import { labelsByMetric, monitoringFolder, unknownIn } from "./queries.ts";

const promtool = findInstalled("promtool", "the tests of the alert rules");

interface AlertRule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

const repository = join(import.meta.dirname, "../../..");
const read = (file: string) => readFileSync(join(repository, file), "utf8");
const { groups } = parse(read("deploy/monitoring/alerts.yml")) as { groups: { rules: AlertRule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const names = rules.map(({ alert }) => alert);

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ METRICS_PORT: "0" });
});
afterAll(() => demo.stop());

describe("alerts.yml", () => {
  test("uses only metrics and labels that exist", async () => {
    const metrics = labelsByMetric(await scrape(demo.metricsUrl));
    expect(rules.length).toBeGreaterThan(15);
    expect(rules.flatMap(({ expr }) => unknownIn(expr, metrics))).toEqual([]);
  });

  test("has a severity, a summary and a description for each alert", () => {
    for (const { labels, annotations } of rules) {
      expect(["critical", "warning"]).toContain(labels.severity);
      expect(annotations.summary && annotations.description).toBeTruthy();
    }
  });

  test("has a test for each alert in which it fires, and one in which it does not", () => {
    const { tests } = parse(read("deploy/monitoring/alerts.test.yml")) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[];
    };
    const cases = tests.flatMap((each) => each.alert_rule_test);
    const tested = (fires: boolean) =>
      cases.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname);
    expect(tested(true)).toEqual(names);
    expect(tested(false)).toEqual(names);
  });

  test.skipIf(!promtool)("is valid, and fires as its tests expect", () => {
    const run = (...args: string[]) =>
      execFileSync(promtool ?? "", args, { cwd: monitoringFolder, encoding: "utf8" });
    expect(run("check", "rules", "alerts.yml")).toContain(`SUCCESS: ${rules.length} rules found`);
    expect(run("check", "config", "prometheus.yml")).toContain("SUCCESS");
    expect(run("test", "rules", "alerts.test.yml")).toContain("SUCCESS");
  });
});

describe("docs/operating/runbooks.md", () => {
  const guide = read("docs/operating/runbooks.md");
  const statements = [...guide.matchAll(/^ *```sql\n(.*?)```/gms)].map(([, text = ""]) => text.trim());

  test("has a section for each alert, to which the alert links, and no others", () => {
    expect([...guide.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)).toEqual(names);
    const { repository: address } = JSON.parse(read("package.json")) as { repository: string };
    const page = `${address}/blob/main/docs/operating/runbooks.md`;
    const links = rules.map(({ annotations }) => annotations.runbook_url);
    expect(links).toEqual(names.map((name) => `${page}#${name.toLowerCase()}`));
  });

  test("has SQL for the causes", () => expect(statements.length).toBeGreaterThan(8));

  test.each(statements)("%s only reads", async (statement) => {
    const client = await connect(demo.databaseUrl);
    await client.query("BEGIN READ ONLY");
    await expect(client.query(statement)).resolves.toHaveProperty("rows");
    await client.end();
  });
});
