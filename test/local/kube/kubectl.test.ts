import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSeededIds } from "../../../local/kube/ids.ts";
import { createApiServer } from "../../../local/kube/server.ts";

function kubectlIsThere(): boolean {
  try {
    execFileSync("kubectl", ["version", "--client"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const absent = !kubectlIsThere();
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "kubectl-test-"));
const kubeconfig = join(folder, "kubeconfig");
const server = createApiServer({ clock: { now: () => Date.UTC(2026, 0, 1) }, ids: createSeededIds(1) });

/** Standard output and standard error together, as a person sees them; a failure's text too. */
async function kubectl(command: string, input?: string): Promise<string> {
  const args = [...command.split(" "), ...(input === undefined ? [] : ["-f", "-"])];
  const options = { env: { ...process.env, KUBECONFIG: kubeconfig, HOME: folder }, timeout: 15_000 };
  const started = run("kubectl", args, options);
  started.child.stdin?.end(input ?? "");
  try {
    const { stdout, stderr } = await started;
    return stdout + stderr;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return stdout + stderr;
  }
}

const web = (image: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "${image}"}]}
`;

const node = `
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {karpenter.sh/nodepool: default}}
status:
  capacity: {cpu: "4", memory: 16Gi}
  conditions: [{type: Ready, status: "True", reason: KubeletReady}]
`;

const pod = `
apiVersion: v1
kind: Pod
metadata: {name: p1, labels: {app: p}}
spec: {nodeName: n1, containers: [{name: main, image: "app:1"}]}
`;

beforeAll(async () => {
  await server.listen();
  writeFileSync(kubeconfig, server.kubeconfig().yaml);
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe.skipIf(absent)(`kubectl${absent ? " (skipped: no kubectl on the PATH)" : ""}`, () => {
  it("applies, sees no change, applies a change, and takes over server-side", async () => {
    expect(await kubectl("apply", web("app:1"))).toBe("deployment.apps/web created\n");
    expect(await kubectl("apply", web("app:1"))).toBe("deployment.apps/web unchanged\n");
    expect(await kubectl("apply", web("app:2"))).toBe("deployment.apps/web configured\n");
    expect(await kubectl("apply --server-side", web("app:2"))).toBe("deployment.apps/web serverside-applied\n");
    expect(await kubectl("get deploy web -o wide --no-headers")).toMatch(
      /^web +0\/2 +0 +0 +\d+s +web +app:2 +app=web\n$/,
    );
  }, 30_000);

  it("patches three ways, scales and refuses", async () => {
    await kubectl("apply", web("app:1"));
    expect(await kubectl('patch deploy web --type=merge -p {"metadata":{"labels":{"a":"b"}}}')).toContain("patched");
    expect(
      await kubectl('patch deploy web --type=json -p [{"op":"replace","path":"/spec/replicas","value":3}]'),
    ).toContain("patched");
    expect(
      await kubectl(
        'patch deploy web -p {"spec":{"template":{"spec":{"containers":[{"name":"web","image":"app:9"}]}}}}',
      ),
    ).toContain("patched");
    expect(await kubectl("scale deploy web --replicas=5")).toBe("deployment.apps/web scaled\n");
    expect(await kubectl("get deploy web -o jsonpath={.spec.replicas}{.metadata.labels.a}{..image}")).toBe("5bapp:9");
    expect(await kubectl("apply", web("app:1").replace("replicas: 2", "replicaz: 2"))).toContain(
      'unknown field "spec.replicaz"',
    );
  }, 30_000);

  it("creates with protobuf bodies", async () => {
    expect(await kubectl("create namespace team")).toBe("namespace/team created\n");
    expect(await kubectl("create configmap c --from-literal=a=b -n team")).toBe("configmap/c created\n");
    expect(await kubectl("get configmap c -n team -o jsonpath={.data.a}")).toBe("b");
    expect(await kubectl("delete namespace team")).toContain('namespace "team" deleted');
  }, 30_000);

  it("labels, taints, cordons, describes and drains a node", async () => {
    await kubectl("apply", node);
    await kubectl("taint node n1 node.kubernetes.io/not-ready-");
    expect(await kubectl("get nodes -L karpenter.sh/nodepool")).toMatch(
      /NAME +STATUS +ROLES +AGE +VERSION +NODEPOOL\nn1 +Ready +<none> +\d+s +default\n/,
    );
    expect(await kubectl("label node n1 team=a")).toBe("node/n1 labeled\n");
    expect(await kubectl("taint node n1 dedicated=a:NoSchedule")).toBe("node/n1 tainted\n");
    expect(await kubectl("cordon n1")).toBe("node/n1 cordoned\n");
    expect(await kubectl("apply", pod)).toBe("pod/p1 created\n");
    expect(await kubectl("describe node n1")).toMatch(
      /Taints: +dedicated=a:NoSchedule[\s\S]*Unschedulable: +true[\s\S]*default +p1/,
    );
    const kubelet = setInterval(() => {
      const dying = server.store.find("pods", { name: "p1", namespace: "default" });
      if (dying?.metadata.deletionTimestamp === undefined) return;
      server.store.delete("pods", { name: "p1", namespace: "default" }, { gracePeriodSeconds: 0 });
    }, 20);
    expect(await kubectl("drain n1 --force --timeout=10s")).toMatch(/evicting pod default\/p1[\s\S]*node\/n1 drained/);
    clearInterval(kubelet);
    expect(await kubectl("delete node n1")).toContain('node "n1" deleted');
  }, 40_000);

  it("names what the cluster does not have", async () => {
    const unknown = "apiVersion: monitoring.example.com/v1\nkind: Monitor\nmetadata: {name: m}\n";
    expect(await kubectl("apply", unknown)).toContain('no matches for kind "Monitor"');
    expect(await kubectl("get pods none")).toBe('Error from server (NotFound): pods "none" not found\n');
  }, 20_000);
});
