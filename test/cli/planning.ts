// Runs `timmerman plan` on objects or text, with a small catalog and a clock that stands.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "../../cli/main.ts";
import { paintFor } from "../../cli/output/paint.ts";

export type Doc = Record<string, unknown>;

const type = (name: string, vcpus: number, memoryMiB: number): Doc => ({
  InstanceType: name,
  SupportedUsageClasses: ["on-demand", "spot"],
  SupportedVirtualizationTypes: ["hvm"],
  Hypervisor: "nitro",
  ProcessorInfo: { Manufacturer: "Intel", SupportedArchitectures: ["x86_64"], SustainedClockSpeedInGhz: 3.1 },
  VCpuInfo: { DefaultVCpus: vcpus },
  MemoryInfo: { SizeInMiB: memoryMiB },
  NetworkInfo: { Ipv4AddressesPerInterface: 10, MaximumNetworkInterfaces: 3 },
});
const catalog = {
  region: "us-east-1",
  zones: [
    { name: "z-a", id: "id-a" },
    { name: "z-b", id: "id-b" },
  ],
  instanceTypes: [type("m5.large", 2, 8192), type("m5.xlarge", 4, 16_384)],
  onDemand: { "m5.large": 0.096, "m5.xlarge": 0.192 },
};

export const pool: Doc = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "default" },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" },
        requirements: [{ key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] }],
      },
    },
    disruption: { consolidateAfter: "30s", budgets: [{ nodes: "100%" }] },
  },
};
export const pod = (name: string, cpu: string, spec: Doc = {}, metadata: Doc = {}): Doc => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...metadata },
  spec: { containers: [{ name: "c", resources: { requests: { cpu } } }], ...spec },
});
export const workload = (kind: string, name: string, spec: Doc = {}, rest: Doc = {}): Doc => ({
  apiVersion: kind === "Job" ? "batch/v1" : "apps/v1",
  kind,
  metadata: { name },
  spec: { template: { spec: { containers: [{ name: "c" }] } }, ...spec },
  ...rest,
});

export interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder that is gone after the tests, and `plan` on what is put into it. */
export function planning() {
  const folder = mkdtempSync(join(tmpdir(), "planning-"));
  const catalogPath = join(folder, "catalog.json");
  writeFileSync(catalogPath, JSON.stringify(catalog));
  const run = async (...argv: string[]): Promise<Told> => {
    let out = "";
    let err = "";
    const code = await main(["plan", "--catalog", catalogPath, "--now", "2026-06-01T12:00:00Z", ...argv], {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      paint: paintFor({ isTTY: false }, {}),
      now: () => 0,
    });
    return { code, out, err };
  };
  const path = join(folder, "in.yaml");
  const ofText = (text: string, ...argv: string[]): Promise<Told> => {
    writeFileSync(path, text);
    return run("-f", path, ...argv);
  };
  const of = (items: readonly unknown[], ...argv: string[]): Promise<Told> =>
    ofText(JSON.stringify({ apiVersion: "v1", kind: "List", items }), ...argv);
  return {
    folder,
    run,
    ofText,
    of,
    /** The plan as JSON. */
    json: async (...items: readonly unknown[]) => JSON.parse((await of(items, "-o", "json")).out),
    end: (): void => rmSync(folder, { recursive: true }),
  };
}
