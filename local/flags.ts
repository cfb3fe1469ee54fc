// The flags of `timmerman local` (`npm start`). A bad one is one clear line.
import { parseArgs } from "node:util";

export interface LocalFlags {
  /** Leave after one pass instead of staying up. */
  readonly once: boolean;
  /** Print the summary as one JSON object on standard output. */
  readonly json: boolean;
  /** The world's seconds to a real second. */
  readonly speed: number;
  readonly seed: number;
  /** Port of the embedded Kubernetes API; 0 picks a free one. */
  readonly port: number;
  /** Manifests to apply instead of the built-in ones. */
  readonly files: readonly string[];
  readonly help: boolean;
}

/** Something that the user can mend: its message is the one line to print. */
export class UsageError extends Error {}

export const usage = `Usage: timmerman local [flags]        (also: npm start -- [flags])

Brings up an embedded world (a Kubernetes API, EC2, SQS, DynamoDB, kubelets) on loopback and runs the main job in it:
pods pending, nodes launched, pods running, a spot interruption survived, scaled down, empty nodes gone.
Its subnets and security group have the tag karpenter.sh/discovery=production-main. Settings with Karpenter's names
(PREFERENCE_POLICY, FEATURE_GATES, …) are taken from the environment.

  --once               leave after one pass; exit code 0 only if every pod ran and nothing was left over
  --json               print the summary as JSON on standard output, progress on standard error
  --speed N            the world's seconds to a real second (default 10)
  --seed N             where ids and chance come from (default 1)
  --port N             port of the Kubernetes API (default: a free one)
  -f, --filename PATH  apply these manifests instead of the built-in ones (repeatable; files or folders)
  -h, --help           this text
`;

function number(
  flag: string,
  text: string | undefined,
  fallback: number,
  range: { min: number; max: number; integer: boolean },
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  const fits =
    text.trim() !== "" && value >= range.min && value <= range.max && (!range.integer || Number.isInteger(value));
  if (!fits) {
    const kind = range.integer ? "a whole number" : "a number";
    throw new UsageError(`--${flag}: "${text}" is not ${kind} from ${range.min} to ${range.max}`);
  }
  return value;
}

/** Throws a UsageError that names the flag. */
export function readFlags(argv: readonly string[]): LocalFlags {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        once: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        speed: { type: "string" },
        seed: { type: "string" },
        port: { type: "string" },
        filename: { type: "string", short: "f", multiple: true, default: [] },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    return {
      once: values.once,
      json: values.json,
      speed: number("speed", values.speed, 10, { min: 0.1, max: 200, integer: false }),
      seed: number("seed", values.seed, 1, { min: 0, max: 2 ** 31 - 1, integer: true }),
      port: number("port", values.port, 0, { min: 0, max: 65_535, integer: true }),
      files: values.filename,
      help: values.help,
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${(error as Error).message.split(/\.\s/)[0]} (see --help)`);
  }
}
