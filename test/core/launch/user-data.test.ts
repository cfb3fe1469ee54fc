import { describe, expect, it } from "vitest";
import { UserDataError, type UserDataInput, userDataFor } from "../../../shared/core/launch/index.ts";

const input: UserDataInput = {
  clusterName: "demo",
  endpoint: "https://demo.example",
  caBundle: "Y2E=",
  serviceCidr: "172.20.0.0/16",
  labels: { "karpenter.sh/nodepool": "default", "foo.kubernetes.io/x": "1", "node.kubernetes.io/y": "2", team: "a" },
  taints: [
    { key: "dedicated", value: "gpu", effect: "NoSchedule" },
    { key: "karpenter.sh/unregistered", value: "", effect: "NoExecute" },
  ],
  kubelet: { maxPods: 42, kubeReserved: { cpu: 100, memory: 268_435_456 }, evictionHard: { "memory.available": "5%" } },
};

describe("AL2023", () => {
  it("is a multipart message with nodeadm's NodeConfig; kubelets name only labels that they may", () => {
    expect(userDataFor("AL2023", input)).toBe(`MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: application/node.eks.aws

{
  "apiVersion": "node.eks.aws/v1alpha1",
  "kind": "NodeConfig",
  "spec": {
    "cluster": {
      "name": "demo",
      "apiServerEndpoint": "https://demo.example",
      "certificateAuthority": "Y2E=",
      "cidr": "172.20.0.0/16"
    },
    "kubelet": {
      "config": {
        "registerWithTaints": [
          {
            "key": "dedicated",
            "value": "gpu",
            "effect": "NoSchedule"
          },
          {
            "key": "karpenter.sh/unregistered",
            "effect": "NoExecute"
          }
        ],
        "maxPods": 42,
        "kubeReserved": {
          "cpu": "100m",
          "memory": "256Mi"
        },
        "evictionHard": {
          "memory.available": "5%"
        }
      },
      "flags": [
        "--node-labels=karpenter.sh/nodepool=default,node.kubernetes.io/y=2,team=a"
      ]
    }
  }
}

--//--
`);
  });

  it.each<[string, string, string]>([
    ["a script", "#!/bin/bash\necho hello", 'text/x-shellscript; charset="us-ascii"'],
    ["a NodeConfig", "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {}", "application/node.eks.aws"],
  ])("puts %s of the class before it, as its own part", (_title, custom, contentType) => {
    const text = userDataFor("AL2023", { ...input, custom });
    expect(text).toContain(`--//\nContent-Type: ${contentType}\n\n${custom}\n`);
    expect(text.indexOf(custom)).toBeLessThan(text.indexOf('"NodeConfig"'));
  });

  it("takes the parts of a class's own multipart message", () => {
    const custom = `MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="BOUNDARY"\r\n\r\n--BOUNDARY\r\nContent-Type: text/x-shellscript; charset="us-ascii"\r\n\r\n#!/bin/sh\necho 1\r\n\r\n--BOUNDARY\r\nContent-Type: text/cloud-config\r\n\r\n#cloud-config\r\n--BOUNDARY--\r\n`;
    const text = userDataFor("AL2023", { ...input, custom });
    expect(text).toContain('Content-Type: text/x-shellscript; charset="us-ascii"\n\n#!/bin/sh\necho 1\n');
    expect(text).toContain("Content-Type: text/cloud-config\n\n#cloud-config\n");
    expect(text).not.toContain("BOUNDARY");
    expect(text.match(/^MIME-Version/gm)).toHaveLength(1);
  });

  it("formats instance stores when asked to", () => {
    expect(userDataFor("AL2023", { ...input, instanceStorePolicy: "RAID0" })).toContain('"strategy": "RAID0"');
  });
});

describe("the other families", () => {
  it("Custom is the class's own, untouched", () => {
    expect(userDataFor("Custom", { ...input, custom: "\r\nanything at all" })).toBe("\r\nanything at all");
    expect(userDataFor("Custom", input)).toBe("");
  });

  it("AL2 calls the image's bootstrap script with every value quoted", () => {
    const text = userDataFor("AL2", { ...input, clusterName: "it's" });
    expect(text).toContain(`/etc/eks/bootstrap.sh 'it'\\''s' \\\n  --apiserver-endpoint 'https://demo.example'`);
    expect(text).toContain(
      "--kubelet-extra-args '--node-labels=karpenter.sh/nodepool=default,node.kubernetes.io/y=2,team=a --register-with-taints=dedicated=gpu:NoSchedule,karpenter.sh/unregistered=:NoExecute --max-pods=42 --kube-reserved=cpu=100m,memory=256Mi --eviction-hard=memory.available<5%'",
    );
  });

  it("Bottlerocket is TOML after the class's own settings", () => {
    expect(
      userDataFor("Bottlerocket", { ...input, custom: "[settings.host-containers.admin]\nenabled = true" }),
    ).toBe(`[settings.host-containers.admin]
enabled = true

[settings.kubernetes]
api-server = "https://demo.example"
cluster-certificate = "Y2E="
cluster-name = "demo"
max-pods = 42

[settings.kubernetes.node-labels]
"karpenter.sh/nodepool" = "default"
"node.kubernetes.io/y" = "2"
"team" = "a"

[settings.kubernetes.node-taints]
"dedicated" = ["gpu:NoSchedule"]
"karpenter.sh/unregistered" = [":NoExecute"]

[settings.kubernetes.kube-reserved]
"cpu" = "100m"
"memory" = "256Mi"

[settings.kubernetes.eviction-hard]
"memory.available" = "5%"
`);
  });

  it("Bottlerocket refuses a class whose settings would have to be merged with ours", () => {
    expect(() => userDataFor("Bottlerocket", { ...input, custom: "[settings.kubernetes]\nmax-pods = 3" })).toThrow(
      UserDataError,
    );
    expect(() =>
      userDataFor("Bottlerocket", { ...input, custom: '[settings.kubernetes.node-labels]\n"a" = "b"' }),
    ).toThrow(/spec\.userData/);
  });

  it("Windows calls the image's bootstrap script from PowerShell", () => {
    const text = userDataFor("Windows2022", {
      ...input,
      clusterName: "it's",
      custom: "<powershell>\nWrite-Host hello\n</powershell>",
    });
    expect(text).toContain("<powershell>\nWrite-Host hello\n");
    expect(text).toContain(
      "& $EKSBootstrapScriptFile -EKSClusterName 'it''s' -APIServerEndpoint 'https://demo.example'",
    );
    expect(text.match(/<powershell>/g)).toHaveLength(1);
  });

  it("refuses more than EC2 takes, and a message it cannot read", () => {
    expect(() => userDataFor("Custom", { ...input, custom: "é".repeat(8_193) })).toThrow("spec.userData: 16386 bytes");
    expect(() => userDataFor("AL2023", { ...input, custom: "Content-Type: multipart/mixed\n\nx" })).toThrow(
      "without a boundary",
    );
  });
});
