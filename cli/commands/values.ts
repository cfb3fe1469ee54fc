import { parseArgs } from "node:util";
import { stringify } from "yaml";
import { defaultOutputsPath, isObject, readOutputs } from "../input/outputs.ts";
import { InputError } from "../input-error.ts";
import type { Terminal } from "../terminal.ts";

const usage = `Usage: timmerman values CLUSTER [flags]

Prints the values for the chart of a cluster's relay, as YAML, from what the last deployment left behind:

  timmerman values production > values.yaml
  helm upgrade --install timmerman charts/timmerman --namespace kube-system --values values.yaml \\
    --set controller.image.repository=REGISTRY/timmerman-relay --set controller.image.tag=0.1.0

      --outputs FILE   the deployment's outputs (default: ${defaultOutputsPath})
  -h, --help           this text

Exit codes: 0 printed; 1 bad input.
`;

/** `timmerman values`. Throws InputError; nothing is on standard output then. */
export async function runValues(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { cluster, outputsPath, help } = readFlags(argv);
  if (help) {
    terminal.out(usage);
    return 0;
  }
  if (cluster === undefined) throw new InputError("name a cluster: timmerman values CLUSTER");
  const outputs = readOutputs(outputsPath);
  if (outputs === undefined) {
    throw new InputError(`${defaultOutputsPath} is not here: run npx sst deploy first, or name a file with --outputs`);
  }
  const values = Object.hasOwn(outputs.relays, cluster) ? outputs.relays[cluster] : undefined;
  if (values === undefined) {
    const names = Object.keys(outputs.relays).sort().join(", ") || "none";
    throw new InputError(
      `cluster ${cluster} was not deployed (there are: ${names}): add it to stacks/clusters.ts and deploy`,
    );
  }
  if (!isObject(values)) {
    const found = Array.isArray(values) ? "a list" : JSON.stringify(values).slice(0, 40);
    throw new InputError(
      `${outputs.file}: relays.${cluster}: expected an object, the values for the chart, not ${found}: npx sst deploy writes it`,
    );
  }
  // Helm reads YAML as it was before 1.2: a cluster may be named `on`, or `1_000`.
  terminal.out(stringify(values, { version: "1.1" }));
  return 0;
}

function readFlags(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { outputs: { type: "string" }, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    if (positionals.length > 1) throw new Error(`one cluster at a time, not ${positionals.join(", ")}`);
    return { cluster: positionals[0], outputsPath: values.outputs, help: values.help === true };
  } catch (cause) {
    throw new InputError((cause as Error).message, { cause });
  }
}
