// The chart as Helm sees it: it lints, renders with many values, says what is wrong with others, and is packed. What it
// renders is judged by the schemas of the oldest and newest Kubernetes that it is for.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseAllDocuments, stringify } from "yaml";
import { provideCheckers } from "./chart-checkers.ts";
import { chartFolder, handedOver, variants } from "./chart-values.ts";
import type { Document } from "./documents.ts";
import { openHelm, provideHelm } from "./helm.ts";

const program = await provideHelm();
const checkers = "reason" in program ? program : provideCheckers();
const without = "reason" in program ? ` (skipped: ${program.reason})` : "";
const unchecked = "reason" in checkers ? ` (skipped: ${checkers.reason})` : "";
const versions = ["1.28", "1.37"];
const fargate = join(chartFolder, "values-fargate.yaml");

describe.skipIf(without !== "")(`the chart${without}`, () => {
  const helm = openHelm("path" in program ? program.path : "");
  const folder = mkdtempSync(join(tmpdir(), "timmerman-chart-"));
  afterAll(() => {
    helm.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const file = (name: string, values: object) => {
    const path = join(folder, `${name.replaceAll(" ", "-")}.yaml`);
    writeFileSync(path, stringify(values));
    return path;
  };
  const valuesFor = (name: string, more: object) => ["-f", file("handed-over", handedOver), "-f", file(name, more)];
  const render = (...more: string[]) =>
    helm("template", "timmerman", chartFolder, "--namespace", "kube-system", "--kube-version", "1.34", ...more);
  const objects = (text: string) =>
    parseAllDocuments(text, { uniqueKeys: true }).flatMap((parsed) => {
      expect(parsed.errors).toEqual([]);
      const object = parsed.toJS() as Document | null;
      return object === null ? [] : [object];
    });
  const rendered: readonly (readonly [string, readonly string[]])[] = [
    ...Object.entries(variants).map(([name, more]) => [name, valuesFor(name, more)] as const),
    ["Fargate", ["-f", file("handed-over", handedOver), "-f", fargate]],
  ];

  it("is linted without a warning, by itself and with values", async () => {
    for (const values of [[], ...rendered.map(([, values]) => values)]) {
      expect(await helm("lint", "--strict", chartFolder, ...values)).toMatch(
        /1 chart\(s\) linted, 0 chart\(s\) failed/,
      );
    }
  });

  it.each(rendered)("renders each object once with %s", async (_, values) => {
    const names = objects(await render(...values)).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    const usual = [
      "Deployment",
      "PodDisruptionBudget",
      "ServiceAccount",
      "Service",
      "ClusterRole",
      "ClusterRoleBinding",
    ];
    for (const kind of usual) expect(names.some((name) => name.startsWith(`${kind} `))).toBe(true);
  });

  it.skipIf(unchecked !== "").each(versions)(
    `renders what Kubernetes %s takes, strictly, with all of them${unchecked}`,
    async (version) => {
      if (!("objects" in checkers)) throw new TypeError("unreachable");
      const all = await Promise.all(rendered.map(([, values]) => render(...values)));
      // The Prometheus operator's kinds are none of Kubernetes' own.
      const known = all.flatMap(objects).filter(({ apiVersion }) => apiVersion !== "monitoring.coreos.com/v1");
      const path = join(folder, `rendered-${version}.yaml`);
      writeFileSync(path, [...new Set(known.map((object) => stringify(object)))].join("---\n"));
      expect(checkers.objects(path, version)).toEqual([]);
      const wrong = join(folder, "wrong.yaml");
      const service = { apiVersion: "v1", kind: "Service", metadata: { name: "x" }, spec: { prots: [] } };
      writeFileSync(wrong, stringify(service));
      expect(checkers.objects(wrong, version)).not.toEqual([]);
    },
  );

  it("puts the relay where nothing of Timmerman's takes its node away, and on Fargate where Fargate decides", async () => {
    const pod = async (values: readonly string[]) => {
      const deployment = objects(await render(...values)).find(({ kind }) => kind === "Deployment");
      // biome-ignore lint/suspicious/noExplicitAny: the test looks into what Helm rendered
      return (deployment as any).spec.template;
    };
    const usual = await pod(rendered[0]![1]);
    expect(usual.metadata.labels["app.kubernetes.io/name"]).toBe("karpenter");
    expect(usual.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms).toEqual([
      { matchExpressions: [{ key: "karpenter.sh/nodepool", operator: "DoesNotExist" }] },
    ]);
    expect(usual.spec.topologySpreadConstraints.map((c: { topologyKey: string }) => c.topologyKey)).toEqual([
      "topology.kubernetes.io/zone",
      "kubernetes.io/hostname",
    ]);
    expect(usual.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(usual.spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    const onFargate = await pod(rendered.at(-1)![1]);
    expect(onFargate.metadata.labels["timmerman/compute"]).toBe("fargate");
    for (const field of ["affinity", "topologySpreadConstraints", "tolerations"]) {
      expect(onFargate.spec[field]).toBeUndefined();
    }
    expect(onFargate.spec.containers[0].resources.requests).toEqual({ cpu: "250m", memory: "256Mi" });
  });

  it("is found by the usual ServiceMonitor and log command", async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the test looks into what Helm rendered
    const found: any[] = objects(await render(...rendered[0]![1]));
    const usual = { "app.kubernetes.io/name": "karpenter" };
    const services = found.filter(({ kind }) => kind === "Service");
    expect(services.length).toBe(1);
    const [{ metadata, spec }] = services;
    expect(metadata).toMatchObject({ name: "karpenter", namespace: "kube-system", labels: usual });
    expect(spec.ports).toEqual([{ name: "http-metrics", port: 8080, targetPort: "http-metrics", protocol: "TCP" }]);
    const { template } = found.find(({ kind }) => kind === "Deployment").spec;
    expect(template.metadata.labels).toMatchObject(usual);
    expect(template.metadata.labels).toMatchObject(spec.selector);
    expect(template.spec.containers[0].ports.map((port: { name: string }) => port.name)).toContain("http-metrics");
  });

  it("takes text for text, and its own labels before those that are given", async () => {
    const values = {
      nameOverride: "123",
      schedulerName: "x\n      hostPID: true",
      additionalLabels: { shared: "all", "app.kubernetes.io/instance": "theirs" },
      podLabels: { shared: "pods", own: "pods", "app.kubernetes.io/name": "theirs" },
      serviceMonitor: { enabled: true, additionalLabels: { "app.kubernetes.io/instance": "theirs" } },
      prometheusRule: { enabled: true, alertLabels: { severity: "theirs" } },
    };
    const all = objects(await render(...valuesFor("text", values), "--namespace", "123"));
    // biome-ignore lint/suspicious/noExplicitAny: the test looks into what Helm rendered
    const { metadata, spec } = all.find(({ kind }) => kind === "Deployment") as any;
    expect(metadata.namespace).toBe("123");
    expect(spec.template.spec.hostPID).toBeUndefined();
    expect(spec.template.spec.schedulerName).toBe(values.schedulerName);
    expect(spec.template.metadata.labels).toMatchObject({ shared: "all", own: "pods", ...spec.selector.matchLabels });
    expect(spec.selector.matchLabels["app.kubernetes.io/name"]).toBe("123");
  });

  it("names every value that is missing or wrong, and the fix", async () => {
    const message = async (...more: string[]) => {
      const error = await render(...more).then(
        () => undefined,
        (cause: { stderr: string }) => cause.stderr,
      );
      return error ?? "it was rendered";
    };
    const nothing = await message();
    for (const path of ["settings.clusterName", "aws.region", "timmerman.table", "timmerman.queues.provision"]) {
      expect(nothing).toContain(`${path} is missing: `);
    }
    expect(nothing).toContain("controller.image.repository is missing: build relay/Dockerfile");
    const given = valuesFor("nothing more", {});
    expect(await message(...given, "--set", "timmerman.queues.disrupt=disrupt")).toMatch(
      /timmerman\.queues\.disrupt is "disrupt": give the queue's URL/,
    );
    expect(await message(...given, "--set", "settings.batchIdleDuration=5")).toMatch(
      /settings\.batchIdleDuration is "5": give a duration with its unit/,
    );
    expect(await message(...given, "--set", "controller.image.repository=registry.example/relay:1")).toMatch(
      /give the tag in controller\.image\.tag/,
    );
    expect(await message(...given, "--set", "leaderElection.enabled=false")).toMatch(/or set replicas to 1/);
    expect(await message(...given, "--set", "replica=3")).toMatch(/'replica' not allowed/);
    expect(await message(...given, "--set", "replicas=three")).toMatch(/'\/replicas': got string, want integer/);
  });

  it.skipIf(unchecked !== "")(`has alerts that Prometheus can read${unchecked}`, async () => {
    if (!("objects" in checkers)) throw new TypeError("unreachable");
    const found = objects(await render(...valuesFor("monitoring", variants.monitoring!)));
    const groups = found
      .filter(({ kind }) => kind === "PrometheusRule")
      .flatMap(({ spec }) => (spec as { groups: { rules: { expr: string; for: string }[] }[] }).groups);
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBe(6);
    expect(checkers.expressions(rules.map(({ expr }) => expr))).toEqual([]);
    expect(checkers.expressions(["sum(x) >"])).not.toEqual([]);
    expect(rules.filter((one) => !/^\d+m$/.test(one.for))).toEqual([]);
  });

  it("is packed offline, small", async () => {
    const said = await helm("package", chartFolder, "--destination", folder);
    expect(statSync(said.trim().split(": ").at(-1)!).size).toBeLessThan(50_000);
  });
});
