// Values that the chart's suites render it with: what the stacks hand over, and what users add.
import { fileURLToPath } from "node:url";

export const chartFolder = fileURLToPath(new URL("../../charts/timmerman", import.meta.url));

const queue = (name: string) => `https://sqs.eu-west-1.amazonaws.com/111122223333/${name}`;

/** As `timmerman values CLUSTER` prints them, with an image. */
export const handedOver = {
  settings: { clusterName: "production" },
  aws: { region: "eu-west-1" },
  timmerman: {
    table: "timmerman-production-Table-abc",
    queues: {
      provision: queue("provision"),
      disrupt: queue("disrupt"),
      lifecycle: queue("lifecycle"),
      resolveNodeClasses: queue("resolve-node-classes"),
    },
  },
  controller: { image: { repository: "registry.example/timmerman-relay" } },
};

const roleArn = "arn:aws:iam::111122223333:role/timmerman-relay";

/** Values on top of those handed over, by what they are for. */
export const variants: Readonly<Record<string, object>> = {
  "nothing more": {},
  IRSA: { serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": roleArn } } },
  monitoring: {
    serviceMonitor: { enabled: true, additionalLabels: { release: "prometheus" }, endpointConfig: { interval: "30s" } },
    prometheusRule: { enabled: true, additionalLabels: { release: "prometheus" }, alertLabels: { team: "platform" } },
  },
  IPv6: { bindAddress: "::", service: { ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv6"] } },
  "CRDs of somebody else": { crds: { enabled: false } },
  everything: {
    fullnameOverride: "nodes",
    additionalLabels: { team: "platform" },
    additionalAnnotations: { "example.com/owner": "platform" },
    settings: {
      clusterName: "production",
      batchIdleDuration: "500ms",
      batchMaxDuration: "1m",
      disableClusterStateObservability: true,
      interruptionQueue: "production",
      reservedENIs: 1,
      featureGates: { nodeRepair: true },
    },
    additionalClusterRoleRules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }],
    service: { annotations: { "prometheus.io/scrape": "true" }, ipFamilyPolicy: "PreferDualStack" },
    replicas: 1,
    podDisruptionBudget: { name: "karpenter", maxUnavailable: "50%" },
    podLabels: { tier: "system" },
    podAnnotations: { "sidecar.istio.io/inject": "false" },
    schedulerName: "other",
    hostNetwork: true,
    dnsPolicy: "ClusterFirstWithHostNet",
    dnsConfig: { options: [{ name: "ndots", value: "1" }] },
    affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
    tolerations: [{ key: "dedicated", operator: "Equal", value: "system", effect: "NoSchedule" }],
    extraVolumes: [{ name: "certificates", configMap: { name: "certificates" } }],
    imagePullSecrets: [{ name: "registry" }],
    leaderElection: { enabled: false },
    controller: {
      image: { repository: "registry.example/timmerman-relay", tag: "1.2.3", digest: `sha256:${"ab".repeat(32)}` },
      env: [{ name: "HTTPS_PROXY", value: "http://proxy.example:3128" }],
      envFrom: [{ configMapRef: { name: "proxy" } }],
      metrics: { port: 8090 },
      extraVolumeMounts: [{ name: "certificates", mountPath: "/etc/ssl/extra", readOnly: true }],
    },
    serviceMonitor: { enabled: true },
    prometheusRule: { enabled: true },
  },
};
