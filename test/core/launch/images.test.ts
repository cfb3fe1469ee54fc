import { describe, expect, it } from "vitest";
import { aliasTerms, type FoundImage, imageFor, imageTerms, resolveAmis } from "../../../shared/core/launch/index.ts";
import { nodeClass, t0 } from "../lifecycle/literals.ts";
import { sold } from "./literals.ts";

const names = (alias: string) => aliasTerms(alias, "1.34")?.map(({ name }) => name);

describe("an alias stands for the names of EKS images", () => {
  it.each<[string, readonly string[] | undefined]>([
    [
      "al2023@v20250301",
      [
        "amazon-eks-node-al2023-x86_64-standard-1.34-v20250301",
        "amazon-eks-node-al2023-arm64-standard-1.34-v20250301",
        "amazon-eks-node-al2023-x86_64-nvidia-1.34-v20250301",
        "amazon-eks-node-al2023-arm64-nvidia-1.34-v20250301",
        "amazon-eks-node-al2023-x86_64-neuron-1.34-v20250301",
      ],
    ],
    ["al2@latest", ["amazon-eks-node-1.34-v*", "amazon-eks-arm64-node-1.34-v*", "amazon-eks-gpu-node-1.34-v*"]],
    [
      "bottlerocket@v1.20.3",
      [
        "bottlerocket-aws-k8s-1.34-x86_64-v1.20.3-*",
        "bottlerocket-aws-k8s-1.34-aarch64-v1.20.3-*",
        "bottlerocket-aws-k8s-1.34-nvidia-x86_64-v1.20.3-*",
        "bottlerocket-aws-k8s-1.34-nvidia-aarch64-v1.20.3-*",
      ],
    ],
    ["windows2022@latest", ["Windows_Server-2022-English-Core-EKS_Optimized-1.34-*"]],
    ["ubuntu@latest", undefined],
  ])("%s", (alias, expected) => {
    expect(names(alias)).toEqual(expected);
  });
});

it("terms go as they are; what cannot be looked up is named", () => {
  const terms = [
    { id: "ami-1" },
    { name: "my-*", owner: "self" },
    { tags: { a: "b" } },
    { ssmParameter: "/my/ami" },
    { alias: "ubuntu@latest" },
  ];
  const { terms: found, unresolved } = imageTerms({ ...nodeClass, amiSelectorTerms: terms }, "1.34");
  expect(found).toEqual(terms.slice(0, 3));
  expect(unresolved).toEqual([
    expect.stringContaining("ssmParameter /my/ami"),
    expect.stringContaining("alias ubuntu@latest"),
  ]);
});

describe("what was found becomes status.amis", () => {
  const image = (id: string, name: string, change: Partial<FoundImage> = {}): FoundImage => ({
    id,
    name,
    architecture: "x86_64",
    createdAtMs: t0,
    deprecated: false,
    ...change,
  });
  const standard = (id: string, change: Partial<FoundImage> = {}) =>
    image(id, `amazon-eks-node-al2023-x86_64-standard-1.34-${id}`, change);

  it("the newest of each kind, and deprecated ones only where nothing else is (deprecation design)", () => {
    const found = [
      standard("v1"),
      standard("v2", { createdAtMs: t0 + 1 }),
      standard("v3", { createdAtMs: t0 + 2, deprecated: true }),
    ];
    expect(resolveAmis(found).map(({ id }) => id)).toEqual(["v2"]);
    expect(resolveAmis([found[2]!]).map(({ id }) => id)).toEqual(["v3"]);
  });

  it("plain types do not boot accelerator images found by name, though they are newer (aws#8291)", () => {
    const amis = resolveAmis([
      standard("std"),
      image("nv", "amazon-eks-node-al2023-x86_64-nvidia-1.34-v2", { createdAtMs: t0 + 5 }),
      image("ne", "amazon-eks-node-al2023-x86_64-neuron-1.34-v2", { createdAtMs: t0 + 6 }),
      image("arm", "amazon-eks-node-al2023-arm64-standard-1.34-v2", { architecture: "arm64", createdAtMs: t0 + 7 }),
    ]);
    expect(imageFor(sold("t3.xlarge", 2, 1), amis)).toBe("std");
    expect(imageFor(sold("g5.xlarge", 2, 1, { "karpenter.k8s.aws/instance-gpu-count": ["1"] }), amis)).toBe("nv");
    expect(imageFor(sold("inf2.xlarge", 2, 1, { "karpenter.k8s.aws/instance-accelerator-count": ["1"] }), amis)).toBe(
      "ne",
    );
    expect(imageFor(sold("m7g.large", 2, 1, { "kubernetes.io/arch": ["arm64"] }), amis)).toBe("arm");
  });

  it("images with names of their own are told apart by architecture only", () => {
    expect(resolveAmis([image("mine", "golden-2026")])).toEqual([
      {
        id: "mine",
        name: "golden-2026",
        requirements: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }],
      },
    ]);
  });
});
