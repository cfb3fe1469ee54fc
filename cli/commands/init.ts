import { setTimeout as sleep } from "node:timers/promises";
import { OperationError } from "../../shared/ports/index.ts";
import { randomIds } from "../../shared/runtime/random-ids.ts";
import { ConfigError } from "../../shared/runtime/variables.ts";
import { connect } from "../init/connect.ts";
import { type Place, readPlace } from "../init/place.ts";
import { type SetUp, setUpCluster } from "../init/set-up.ts";
import { defaultOutputsPath } from "../input/outputs.ts";
import { InputError } from "../input-error.ts";
import type { Terminal } from "../terminal.ts";

const usage = `Usage: timmerman init CLUSTER [flags]

Sets a cluster up that was deployed: writes the record (the head) that everything else begins with, once. Until then
nothing is provisioned for the cluster, so that a lost table never passes for a new cluster. May be repeated.

It reads the cluster's registration from the table, asks the cluster for its identity with your own AWS credentials (which
need an EKS access entry that lets them read namespaces), and looks in EC2 for instances that bear this deployment's tag
and the cluster's name.

      --stage STAGE        the stage that was deployed; its deployment is timmerman-STAGE
      --outputs FILE       the deployment's outputs, for what no flag says (default: ${defaultOutputsPath})
      --table TABLE        the deployment's DynamoDB table
      --region REGION      the region of the deployment
      --deployment NAME    the deployment's name in EC2 tags
  -h, --help               this text

Exit codes: 0 the cluster is set up (now, or before); 1 bad input, or something could not be reached; 2 refused: there are
instances without records, or the record is of another cluster.
`;

/** `timmerman init`. Throws InputError for what people can mend. */
export async function runInit(argv: readonly string[], terminal: Terminal): Promise<number> {
  const place = readPlace(argv);
  if (place === undefined) {
    terminal.out(usage);
    return 0;
  }
  const outcome = await setUp(place, terminal).catch((error: unknown) => {
    if (error instanceof OperationError || error instanceof ConfigError) {
      throw new InputError(`${error.message}${hintFor(error)}`, { cause: error });
    }
    throw error;
  });
  return tell(outcome, place, terminal);
}

async function setUp(place: Place, terminal: Terminal): Promise<SetUp> {
  const clock = { now: terminal.now, sleep: (ms: number) => sleep(ms) };
  const connected = await connect(place, clock);
  try {
    const { store, cloud, kube } = connected;
    const [clusterUid, version] = await Promise.all([kube.readUid(), kube.readVersion()]);
    terminal.out(`cluster ${place.cluster}: Kubernetes ${version}, kube-system has uid ${clusterUid}\n`);
    const { cluster, deployment } = place;
    return await setUpCluster({ cluster, clusterUid, deployment, store, cloud, clock, ids: randomIds });
  } finally {
    connected.close();
  }
}

function hintFor(error: OperationError | ConfigError): string {
  if (!(error instanceof OperationError)) return "";
  if (error.code === "unauthenticated" || error.code === "forbidden") {
    return ": give your own IAM identity an EKS access entry that may read namespaces";
  }
  if (error.code === "unauthorized") return ": check whose AWS credentials these are, and what they may do";
  return "";
}

function tell(outcome: SetUp, { cluster, deployment }: Place, terminal: Terminal): number {
  if (outcome.kind === "orphans") {
    const { instanceIds } = outcome;
    const shown = instanceIds.slice(0, 5).join(", ");
    const more = instanceIds.length > 5 ? ` and ${instanceIds.length - 5} more` : "";
    terminal.err(
      `timmerman init: refused: the table knows nothing of cluster ${cluster}, and ${instanceIds.length} instances of ${deployment} run in it (${shown}${more}). ` +
        "Its records were lost, or --table or --deployment is another's. A new record would make garbage of them: " +
        "restore the table, or let timmerman recover (which comes later) take them over\n",
    );
    return 2;
  }
  if (outcome.kind === "another") {
    terminal.err(
      `timmerman init: refused: the record of ${cluster} is of another cluster, whose kube-system had uid ${outcome.head.clusterUid}: ` +
        "a cluster was made anew under an old name. Give it another name, or remove the old one's items from the table\n",
    );
    return 2;
  }
  const { seq, epoch } = outcome.head;
  const was = outcome.kind === "there" ? "was set up before" : "is set up";
  terminal.out(
    `cluster ${cluster} ${was}: epoch ${epoch}, ${seq} commits. Its controllers are woken within a minute.\n`,
  );
  terminal.out(
    [
      "Next:",
      `  timmerman values ${cluster} > values.yaml`,
      "  helm upgrade --install timmerman charts/timmerman --namespace kube-system --values values.yaml",
      "  kubectl apply -f your NodePools and EC2NodeClasses",
      "",
    ].join("\n"),
  );
  return 0;
}
