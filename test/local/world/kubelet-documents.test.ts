import { describe, expect, it } from "vitest";
import { reportCapacity } from "../../../local/kubelet/capacity.ts";
import { readUserData } from "../../../local/kubelet/user-data.ts";

const nodeConfig = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    name: production-main
    apiServerEndpoint: https://127.0.0.1:6443
  kubelet:
    config:
      maxPods: 29
      registerWithTaints:
        - { key: karpenter.sh/unregistered, effect: NoExecute }
    flags:
      - --node-labels="karpenter.sh/nodepool=default,team=platform"
`;

describe("user data", () => {
  it("of AL2023 is read from plain YAML", () => {
    expect(readUserData(nodeConfig)).toEqual({
      clusterName: "production-main",
      labels: { "karpenter.sh/nodepool": "default", team: "platform" },
      taints: [{ key: "karpenter.sh/unregistered", effect: "NoExecute" }],
      maxPods: 29,
    });
  });

  it("of AL2023 is read from a MIME archive with other parts around it", () => {
    const archive = [
      'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n',
      "--//",
      'Content-Type: text/x-shellscript; charset="us-ascii"\n\n#!/bin/bash\necho hello',
      "--//",
      `Content-Type: application/node.eks.aws\n\n${nodeConfig}`,
      "--//--",
    ].join("\n");
    expect(readUserData(archive)?.clusterName).toBe("production-main");
    expect(readUserData(archive)?.labels).toEqual({ "karpenter.sh/nodepool": "default", team: "platform" });
  });

  it("of AL2 is read from the bootstrap script's arguments", () => {
    const script =
      "#!/bin/bash\n/etc/eks/bootstrap.sh 'production-main' --kubelet-extra-args '--node-labels=a=b --register-with-taints=x=y:NoSchedule'";
    expect(readUserData(script)).toEqual({
      clusterName: "production-main",
      labels: { a: "b" },
      taints: [{ key: "x", value: "y", effect: "NoSchedule" }],
    });
  });

  it("that names no cluster makes no kubelet", () => {
    expect(readUserData("#!/bin/bash\necho hello")).toBeUndefined();
    expect(readUserData("")).toBeUndefined();
  });
});

describe("capacity that a kubelet reports", () => {
  const m5large = {
    VCpuInfo: { DefaultVCpus: 2 },
    MemoryInfo: { SizeInMiB: 8192 },
    NetworkInfo: { Ipv4AddressesPerInterface: 10, MaximumNetworkInterfaces: 3 },
  };

  it("follows EKS' reservations", () => {
    expect(reportCapacity(m5large, { volumeGiB: 50 })).toEqual({
      capacity: { cpu: "2", memory: "7905Mi", pods: "29", "ephemeral-storage": "53687091200" },
      // 2000m − 70m; 7905 − (255 + 11 × 29 + 100); 50 GiB × 0.9 − 1 GiB
      allocatable: { cpu: "1930m", memory: "7231Mi", pods: "29", "ephemeral-storage": "47244640256" },
    });
  });

  it("counts GPUs and takes a configured number of pods", () => {
    const gpu = { ...m5large, GpuInfo: { Gpus: [{ Count: 4, Manufacturer: "NVIDIA" }] } };
    const { allocatable } = reportCapacity(gpu, { volumeGiB: 20, maxPods: 10 });
    expect(allocatable).toMatchObject({ "nvidia.com/gpu": "4", pods: "10" });
  });
});
