// The command table. Each command is loaded only when it is asked for.
import { readFileSync } from "node:fs";
import { InputError } from "./input-error.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

type Command = (argv: readonly string[], terminal: Terminal) => Promise<number>;

const commands: Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>> = {
  plan: {
    summary: "what a cluster would get, offline: reads manifests, prints the plan",
    load: async () => (await import("./commands/plan.ts")).runPlan,
  },
  check: {
    summary: "checks stacks/clusters.ts as a deployment does, offline",
    load: async () => (await import("./commands/check.ts")).runCheck,
  },
  init: {
    summary: "sets a cluster up that was deployed: writes the record that everything begins with, once",
    load: async () => (await import("./commands/init.ts")).runInit,
  },
  values: {
    summary: "prints the values for the chart of a cluster that was deployed",
    load: async () => (await import("./commands/values.ts")).runValues,
  },
  local: {
    summary: "an embedded world on this machine, where the real code does the main job",
    load: async () => (await import("./commands/local.ts")).runLocal,
  },
};

function usage(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    "Timmerman: a serverless node provisioner for Amazon EKS that speaks Karpenter's API",
    "",
    "Usage: timmerman COMMAND [flags]",
    "",
    ...lines,
    "",
    "timmerman COMMAND --help tells the flags of a command.",
    "",
  ].join("\n");
}

function version(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Runs a command and gives the exit code. What people can mend is one line on stderr; anything else is a crash. */
export async function main(argv: readonly string[], terminal: Terminal = processTerminal): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    if (name !== undefined) {
      terminal.out(usage());
      return 0;
    }
    terminal.err(usage());
    return 1;
  }
  if (name === "--version" || name === "version") {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    terminal.err(`timmerman: there is no command "${name}"; timmerman --help lists them\n`);
    return 1;
  }
  try {
    return await (await command.load())(rest, terminal);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    terminal.err(`timmerman ${name}: ${error.message}\n`);
    return 1;
  }
}
