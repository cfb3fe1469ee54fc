import { parseArgs } from "node:util";
import { defaultOutputsPath, readOutputs } from "../input/outputs.ts";
import { InputError } from "../input-error.ts";

/** Which cluster, and where its deployment keeps what it knows. */
export interface Place {
  readonly cluster: string;
  readonly region: string;
  readonly table: string;
  /** As the functions have it in TIMMERMAN_DEPLOYMENT. */
  readonly deployment: string;
}

/** The app's name in sst.config.ts: a stage's deployment is `timmerman-<stage>`. */
const app = "timmerman";

/** From flags, and what they leave open from the deployment's outputs; undefined: help is wanted. Throws InputError. */
export function readPlace(argv: readonly string[]): Place | undefined {
  const flags = readFlags(argv);
  if (flags.help) return undefined;
  const { cluster } = flags;
  if (cluster === undefined) throw new InputError("name a cluster: timmerman init CLUSTER");
  const outputs = readOutputs(flags.outputs);
  const wanted = (flag: string, ...found: readonly (string | undefined)[]): string => {
    const value = found.find((candidate) => candidate !== undefined && candidate !== "");
    if (value !== undefined) return value;
    const where = outputs === undefined ? `there is no ${defaultOutputsPath}` : "the outputs do not say it";
    throw new InputError(`${flag} is missing, and ${where}: give the flag, or deploy first`);
  };
  const ofStage = flags.stage === undefined ? undefined : `${app}-${flags.stage}`;
  const place = {
    cluster,
    region: wanted("--region", flags.region, outputs?.region),
    table: wanted("--table", flags.table, outputs?.table),
    deployment: wanted("--stage or --deployment", flags.deployment, ofStage, outputs?.deployment),
  };
  const borrowed = (["table", "region"] as const).filter((name) => flags[name] === undefined);
  if (borrowed.length > 0) requireSame(place.deployment, outputs?.deployment, borrowed);
  return place;
}

/**
 * The outputs are of whichever stage was deployed last. Its table under another deployment's tag would have the head
 * written where that deployment never looks, after a search for instances that cannot find its own.
 */
function requireSame(deployment: string, found: string | undefined, borrowed: readonly ("table" | "region")[]): void {
  if (found === undefined || found === deployment) return;
  const flags = borrowed.map((name) => `--${name}`).join(" and ");
  throw new InputError(
    `the outputs are of ${found}, not of ${deployment}: deploy that stage (npx sst deploy --stage STAGE), name its outputs with --outputs, or give ${flags}`,
  );
}

function readFlags(argv: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: {
        outputs: text,
        table: text,
        region: text,
        deployment: text,
        stage: text,
        help: { type: "boolean", short: "h" },
      },
      allowPositionals: true,
    });
    if (positionals.length > 1) throw new Error(`one cluster at a time, not ${positionals.join(", ")}`);
    return { ...values, cluster: positionals[0], help: values.help === true };
  } catch (cause) {
    throw new InputError((cause as Error).message, { cause });
  }
}
