import { kubeletLabels, quantities, type UserDataInput } from "./input.ts";
import { isMime, type MimePart, mimeMessage, mimeParts } from "./mime.ts";

const nodeConfigType = "application/node.eks.aws";

/**
 * A multipart message whose last part is nodeadm's NodeConfig, so that it wins over the class's own parts where both say
 * the same (nodeadm merges in order). NodeConfig is written as JSON, which is YAML, so that no value needs quoting rules.
 */
export function al2023(input: UserDataInput): string {
  return mimeMessage([...ownParts(input.custom), { contentType: nodeConfigType, body: nodeConfig(input) }]);
}

function ownParts(custom: string | undefined): readonly MimePart[] {
  if (custom === undefined || custom.trim() === "") return [];
  if (isMime(custom)) return mimeParts(custom);
  const isNodeConfig = /^\s*apiVersion:\s*node\.eks\.aws\//m.test(custom) || /^\s*kind:\s*NodeConfig\b/m.test(custom);
  return [{ contentType: isNodeConfig ? nodeConfigType : 'text/x-shellscript; charset="us-ascii"', body: custom }];
}

function nodeConfig(input: UserDataInput): string {
  const { kubelet } = input;
  const config = {
    ...(input.taints.length === 0
      ? {}
      : {
          registerWithTaints: input.taints.map(({ key, value, effect }) => ({
            key,
            ...(value === "" ? {} : { value }),
            effect,
          })),
        }),
    ...(input.dnsAddress === undefined ? {} : { clusterDNS: [input.dnsAddress] }),
    ...(kubelet.maxPods === undefined ? {} : { maxPods: kubelet.maxPods }),
    ...(kubelet.podsPerCore === undefined ? {} : { podsPerCore: kubelet.podsPerCore }),
    ...optional("kubeReserved", quantities(kubelet.kubeReserved)),
    ...optional("systemReserved", quantities(kubelet.systemReserved)),
    ...optional("evictionHard", kubelet.evictionHard),
    ...optional("evictionSoft", kubelet.evictionSoft),
  };
  const labelText = kubeletLabels(input.labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  return JSON.stringify(
    {
      apiVersion: "node.eks.aws/v1alpha1",
      kind: "NodeConfig",
      spec: {
        cluster: {
          name: input.clusterName,
          apiServerEndpoint: input.endpoint,
          certificateAuthority: input.caBundle,
          cidr: input.serviceCidr,
        },
        kubelet: { config, ...(labelText === "" ? {} : { flags: [`--node-labels=${labelText}`] }) },
        ...(input.instanceStorePolicy === undefined
          ? {}
          : { instance: { localStorage: { strategy: input.instanceStorePolicy } } }),
      },
    },
    undefined,
    2,
  );
}

function optional(name: string, values: Readonly<Record<string, string>> | undefined): Record<string, unknown> {
  return values === undefined || Object.keys(values).length === 0 ? {} : { [name]: values };
}
