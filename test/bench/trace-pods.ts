// Turns the pod list of the Alibaba GPU trace (openb_pod_list_default.csv) into a file of Pods and the two NodePools that
// they are planned on: whole GPUs are asked for as such, shares of one are left out, since no scheduler here splits GPUs.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { InputError } from "../../cli/input-error.ts";

const gpuTaint = { key: "nvidia.com/gpu", value: "true", effect: "NoSchedule" };
const columns = ["name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "qos"] as const;
type Row = Record<(typeof columns)[number], string>;

export async function writeTracePods(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...argv], options: { trace: { type: "string" }, out: { type: "string" } } });
  if (values.trace === undefined || values.out === undefined) throw new InputError("pods needs --trace and --out");
  writeFileSync(values.out, `${JSON.stringify(tracePods(readFileSync(values.trace, "utf8")))}\n`);
}

/** A List of two NodePools and a Pod for each row. */
export function tracePods(csv: string): { apiVersion: string; kind: "List"; items: object[] } {
  const pools = [pool("default", ["c", "m", "r"], "4"), pool("gpu", ["g", "p"])];
  return { apiVersion: "v1", kind: "List", items: [...pools, ...rowsOf(csv).map(podOf)] };
}

function rowsOf(csv: string): Row[] {
  const [header = "", ...lines] = csv.trim().split(/\r?\n/);
  const places = columns.map((column) => {
    const place = header.split(",").indexOf(column);
    if (place < 0) throw new InputError(`the trace has no column ${column}`);
    return place;
  });
  return lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(columns.map((column, index) => [column, cells[places[index]!]!])) as Row;
  });
}

function podOf(row: Row): object {
  const gpus = Number(row.gpu_milli) >= 1000 ? Number(row.num_gpu) : 0;
  const gpu = gpus > 0 ? { "nvidia.com/gpu": String(gpus) } : undefined;
  const requests = { cpu: `${row.cpu_milli}m`, memory: `${row.memory_mib}Mi`, ...gpu };
  const resources = { requests, ...(gpu && { limits: gpu }) };
  const tolerations = [{ key: gpuTaint.key, operator: "Exists", effect: gpuTaint.effect }];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: row.name, namespace: "default", labels: { qos: row.qos.toLowerCase() } },
    spec: { containers: [{ name: "app", image: "app", resources }], ...(gpu && { tolerations }) },
  };
}

function pool(name: string, categories: readonly string[], generationAbove?: string): object {
  const requirements = [
    { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
    { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] },
    { key: "karpenter.k8s.aws/instance-category", operator: "In", values: categories },
    ...(generationAbove === undefined
      ? []
      : [{ key: "karpenter.k8s.aws/instance-generation", operator: "Gt", values: [generationAbove] }]),
  ];
  const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
  const taints = name === "gpu" ? { taints: [gpuTaint] } : {};
  return {
    apiVersion: "karpenter.sh/v1",
    kind: "NodePool",
    metadata: { name },
    spec: {
      template: { spec: { nodeClassRef, requirements, expireAfter: "720h", ...taints } },
      disruption: { consolidationPolicy: "WhenEmptyOrUnderutilized", consolidateAfter: "1m" },
    },
  };
}
