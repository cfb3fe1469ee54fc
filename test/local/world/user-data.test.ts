import { expect, it } from "vitest";
import { readUserData } from "../../../local/kubelet/user-data.ts";

const archive = (part: string) =>
  `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n\n--//\nContent-Type: text/x-shellscript\n\n#!/bin/sh\necho hi\n\n--//\nContent-Type: application/node.eks.aws\n\n${part}\n--//--\n`;
const json = JSON.stringify({
  apiVersion: "node.eks.aws/v1alpha1",
  kind: "NodeConfig",
  spec: { cluster: { name: "shop" }, kubelet: { flags: ["--node-labels=team=blue,a=b"] } },
});
const yaml = "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster:\n    name: shop\n";

it.each([
  ["JSON in a MIME archive", archive(json), { team: "blue", a: "b" }],
  ["YAML in a MIME archive", archive(yaml), {}],
  ["JSON alone", json, { team: "blue", a: "b" }],
  ["YAML alone", yaml, {}],
])("a node joins by %s", (_, userData, labels) => {
  expect(readUserData(userData)).toEqual({ clusterName: "shop", labels, taints: [] });
});

it("joins nothing without a NodeConfig", () => {
  expect(readUserData(archive("apiVersion: v1\nkind: Something\n"))).toBeUndefined();
});
