// A control plane that the chart is installed on with Helm, which writes down every request: who may do what is then held
// against what was done.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { chartFolder } from "./chart-values.ts";
import { administrator, type ControlPlane, type ControlPlaneOptions, startControlPlane } from "./control-plane.ts";
import { type Helm, openHelm } from "./helm.ts";
import { send } from "./http.ts";

/** What a role allows or a request asked for: "patch karpenter.sh/nodeclaims/status", "get /version". */
export type Right = string;

export interface ChartPlane {
  readonly plane: ControlPlane;
  /** Helm with this cluster as its own, in kube-system. */
  readonly helm: Helm;
  /** A token of the group that the functions' access entries have. */
  readonly functionsToken: string;
  readonly functionsUser: string;
  /** `helm upgrade --install` of a chart (this project's if none is named) with those values. */
  install(values: object, options?: { readonly chart?: string; readonly flags?: readonly string[] }): Promise<string>;
  /** What a user asked for until now, and what of it was forbidden. */
  requestsOf(user: string): { readonly asked: ReadonlySet<Right>; readonly forbidden: ReadonlySet<Right> };
  stop(): Promise<void>;
}

const functionsToken = "timmerman-functions";
const functionsUser = "arn:aws:sts::111122223333:assumed-role/timmerman-functions/provision";

const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "Metadata" }],
};

export async function startChartPlane(helmPath: string, options: ControlPlaneOptions): Promise<ChartPlane> {
  const folder = mkdtempSync(join(tmpdir(), "timmerman-chart-"));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const log = file("audit.log", "");
  const plane = await startControlPlane({
    ...options,
    serverArguments: [
      `--token-auth-file=${file("tokens.csv", `${administrator}\n${functionsToken},${functionsUser},functions,"timmerman:functions"\n`)}`,
      `--audit-policy-file=${file("policy.yaml", stringify(auditPolicy))}`,
      `--audit-log-path=${log}`,
    ],
  });
  const bare = openHelm(helmPath);
  const helm: Helm = Object.assign(
    (...args: readonly string[]) => bare(...args, "--kubeconfig", plane.kubeconfigPath, "--namespace", "kube-system"),
    { close: bare.close },
  );
  return {
    plane,
    helm,
    functionsToken,
    functionsUser,
    install: (values, { chart = chartFolder, flags = [] } = {}) =>
      helm("upgrade", "--install", "timmerman", chart, "-f", file("values.yaml", stringify(values)), ...flags),
    requestsOf: (user) => requestsIn(readFileSync(log, "utf8"), user),
    async stop() {
      helm.close();
      await plane.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly apiGroup?: string; readonly resource: string; readonly subresource?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

function requestsIn(log: string, user: string): ReturnType<ChartPlane["requestsOf"]> {
  const events = log
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter((event) => event.user.username === user);
  const rightOf = ({ verb, requestURI, objectRef }: AuditEvent): Right =>
    objectRef === undefined
      ? `${verb} ${requestURI.split("?")[0]}`
      : rightTo(verb, objectRef.apiGroup ?? "", [objectRef.resource, objectRef.subresource].filter(Boolean).join("/"));
  const isForbidden = ({ annotations }: AuditEvent) => annotations?.["authorization.k8s.io/decision"] === "forbid";
  return {
    asked: new Set(events.map(rightOf)),
    forbidden: new Set(events.filter(isForbidden).map(rightOf)),
  };
}

function rightTo(verb: string, group: string, resource: string): Right {
  return `${verb} ${group}/${resource}`;
}

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Everything that a ClusterRole or Role allows. */
export async function rightsIn(plane: ControlPlane, path: string): Promise<ReadonlySet<Right>> {
  const { status, body } = await send(plane, "GET", `/apis/rbac.authorization.k8s.io/v1/${path}`);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return new Set(
    (body.rules as Rule[]).flatMap(({ verbs, apiGroups = [], resources = [], nonResourceURLs = [] }) =>
      verbs.flatMap((verb) => [
        ...nonResourceURLs.map((url) => `${verb} ${url}`),
        ...apiGroups.flatMap((group) => resources.map((resource) => rightTo(verb, group, resource))),
      ]),
    ),
  );
}
