import { kubeletFlags, singleQuoted, type UserDataInput } from "./input.ts";
import { isMime, type MimePart, mimeMessage, mimeParts } from "./mime.ts";

const script = 'text/x-shellscript; charset="us-ascii"';

/** A multipart message: the class's own parts, then a call of the image's bootstrap script. */
export function al2(input: UserDataInput): string {
  const call = [
    `/etc/eks/bootstrap.sh ${singleQuoted(input.clusterName, "shell")}`,
    `--apiserver-endpoint ${singleQuoted(input.endpoint, "shell")}`,
    `--b64-cluster-ca ${singleQuoted(input.caBundle, "shell")}`,
    ...(input.dnsAddress === undefined ? [] : [`--dns-cluster-ip ${singleQuoted(input.dnsAddress, "shell")}`]),
    ...(input.kubelet.maxPods === undefined ? [] : ["--use-max-pods false"]),
    ...(input.instanceStorePolicy === undefined ? [] : ["--local-disks raid0"]),
    `--kubelet-extra-args ${singleQuoted(kubeletFlags(input).join(" "), "shell")}`,
  ].join(" \\\n  ");
  const body = `#!/bin/bash -xe\n${call}`;
  return mimeMessage([...ownParts(input.custom), { contentType: script, body }]);
}

function ownParts(custom: string | undefined): readonly MimePart[] {
  if (custom === undefined || custom.trim() === "") return [];
  return isMime(custom) ? mimeParts(custom) : [{ contentType: script, body: custom }];
}
