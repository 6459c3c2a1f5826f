import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { apiVariables } from "@parley/api/config";
import { workerVariables } from "@parley/worker/config";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service, ServiceAccount } from "kubernetes-models/v1";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const repository = join(import.meta.dirname, "../../..");
const read = (file: string) => readFileSync(join(repository, file), "utf8");
const known = new Set(Object.keys({ ...apiVariables, ...workerVariables }));

/** Variables of Parley in a text that Parley does not have. */
const unknown = (names: string[]) => names.filter((name) => !known.has(name));

// biome-ignore lint/suspicious/noExplicitAny: the files are checked against the schemas below.
type Manifest = any;

describe("deploy/kubernetes/parley.yaml", () => {
  const kinds = {
    ConfigMap,
    Deployment,
    HorizontalPodAutoscaler,
    Ingress,
    NetworkPolicy,
    PodDisruptionBudget,
    Service,
    ServiceAccount,
  };
  const manifests: Manifest[] = parseAllDocuments(read("deploy/kubernetes/parley.yaml")).map((document) =>
    document.toJS(),
  );
  const deployments = manifests.filter(({ kind }) => kind === "Deployment");

  test.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]))(
    "%s matches the schema of its kind",
    (_name, manifest) => {
      const Kind = kinds[manifest.kind as keyof typeof kinds];
      expect(() => new Kind(manifest).validate()).not.toThrow();
    },
  );

  test("a wrong field would be found", () => {
    const [deployment] = structuredClone(deployments);
    deployment.spec.template.spec.containers[0].readinessProbe.httpGet.port = true;
    expect(() => new Deployment(deployment).validate()).toThrow("readinessProbe");
  });

  test("sets variables that Parley has", () => {
    const { data } = manifests.find(({ kind }) => kind === "ConfigMap");
    expect(unknown(Object.keys(data))).toEqual([]);
  });

  test.each(deployments.map((deployment) => [deployment.metadata.name, deployment]))(
    "%s is not root, cannot write to its image, and may finish what it does",
    (_name, { spec }) => {
      const { securityContext, terminationGracePeriodSeconds, containers } = spec.template.spec;
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
      expect(containers[0].securityContext).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      });
      expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThan(
        workerVariables.SHUTDOWN_TIMEOUT_MS.parse(undefined),
      );
      expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
    },
  );

  test("budgets, autoscalers and services select a deployment", () => {
    const labels = deployments.map(({ spec }) => spec.selector.matchLabels);
    const of = (kind: string) =>
      manifests.filter((manifest) => manifest.kind === kind).map(({ spec }) => spec);
    for (const { selector } of of("PodDisruptionBudget")) expect(labels).toContainEqual(selector.matchLabels);
    for (const { selector } of of("Service")) expect(labels).toContainEqual(selector);
    for (const { scaleTargetRef } of of("HorizontalPodAutoscaler")) {
      expect(deployments.map(({ metadata }) => metadata.name)).toContain(scaleTargetRef.name);
    }
  });
});

describe("compose.yaml", () => {
  const { services } = parse(read("compose.yaml"), { merge: true }) as Manifest;
  const names = Object.keys(services);
  const parley: [string, Manifest][] = Object.entries<Manifest>(services).filter(([, { image }]) =>
    image.startsWith("parley:"),
  );

  test("has two of each role, and everything around them", () => {
    expect(names).toEqual([
      "migrate",
      "api-1",
      "api-2",
      "worker-1",
      "worker-2",
      "proxy",
      "postgres",
      "redis",
      "prometheus",
      "grafana",
    ]);
    expect(parley.map(([, { command }]) => command[0])).toEqual([
      "migrate",
      "api",
      "api",
      "worker",
      "worker",
    ]);
  });

  test.each(parley)("%s has variables that Parley has, and cannot write to its image", (_name, service) => {
    expect(unknown(Object.keys(service.environment))).toEqual([]);
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(Number.parseInt(service.stop_grace_period, 10) * 1_000).toBeGreaterThan(
      workerVariables.SHUTDOWN_TIMEOUT_MS.parse(undefined),
    );
  });

  test("gives each container only its own secrets, and Parley a role that is no superuser", () => {
    const secretsOf = (name: string) =>
      [...JSON.stringify(services[name]).matchAll(/\$\{(\w*PASSWORD|PARLEY_ENCRYPTION_KEY):/g)].map(
        ([, secret]) => secret,
      );
    const common = ["DATABASE_PASSWORD", "PARLEY_ENCRYPTION_KEY"];
    expect(Object.fromEntries(names.map((name) => [name, secretsOf(name)]))).toEqual({
      migrate: common,
      "api-1": [...common, "REDIS_PASSWORD"],
      "api-2": [...common, "REDIS_PASSWORD"],
      "worker-1": common,
      "worker-2": common,
      proxy: [],
      postgres: ["POSTGRES_PASSWORD", "DATABASE_PASSWORD"],
      redis: ["REDIS_PASSWORD"],
      prometheus: [],
      grafana: ["GRAFANA_PASSWORD"],
    });
    for (const [, { env_file: files }] of parley)
      expect(files).toEqual([{ path: "parley.env", required: false }]);
    const inData = names.filter((name) => services[name].networks.includes("data"));
    expect(inData).toEqual([...parley.map(([name]) => name), "postgres", "redis"]);
    expect(read("deploy/compose/create-role.sh")).toContain("CREATE ROLE parley LOGIN PASSWORD");
  });

  test("mounts files that exist, and depends on services that exist", () => {
    for (const { volumes = [], depends_on = {} } of Object.values<Manifest>(services)) {
      const files = volumes
        .map((volume: string) => volume.split(":")[0])
        .filter((path: string) => path.startsWith("."));
      for (const file of files) expect(() => readdirOrFile(file)).not.toThrow();
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      for (const name of needed) expect(names).toContain(name);
    }
  });

  test("takes values that deploy/compose/example.env has", () => {
    const used = [...read("compose.yaml").matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    const example = [...read("deploy/compose/example.env").matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const optional = ["PARLEY_VERSION", "PARLEY_ENCRYPTION_KEYS_OLD"];
    expect([...new Set(used)].toSorted((a = "", b = "") => a.localeCompare(b))).toEqual(
      [...example, ...optional].toSorted((a = "", b = "") => a.localeCompare(b)),
    );
  });

  function readdirOrFile(file: string): void {
    if (/\.\w+$/.test(file)) read(file);
    else readdirSync(join(repository, file));
  }
});

test("Prometheus of compose.yaml scrapes every process of Parley", () => {
  const { scrape_configs } = parse(read("deploy/compose/prometheus.yml")) as Manifest;
  const targets = scrape_configs.flatMap(({ static_configs }: Manifest) => static_configs[0].targets);
  expect(targets).toEqual(["api-1:9464", "api-2:9464", "worker-1:9464", "worker-2:9464"]);
});
