// Programs in Python that judge rendered charts: kubernetes-validate (the schemas of every Kubernetes version) and
// promql-parser. Found in .timmerman/python, installed there once if Python is present.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ownPython = join(root, ".timmerman", "python");

export interface Checkers {
  /** What is wrong with the objects of a YAML file to a Kubernetes of that version ("1.34"); unknown fields count. */
  objects(file: string, version: string): string[];
  /** What is wrong with PromQL expressions, one line for each that doesn't parse. */
  expressions(expressions: readonly string[]): string[];
}

/** The programs, or why there are none. In CI that is an error. */
export function provideCheckers(env: NodeJS.ProcessEnv = process.env): Checkers | { readonly reason: string } {
  const python = join(ownPython, "bin", "python");
  const works = () => spawnSync(python, ["-c", "import kubernetes_validate, promql_parser"]).status === 0;
  const given = (reason: string) => {
    if (env.CI === "true") throw new Error(reason);
    return { reason };
  };
  if (!works()) {
    if (spawnSync("python3", ["--version"]).status !== 0) return given("Python 3 is not installed");
    process.stderr.write("installing kubernetes-validate into .timmerman/python …\n");
    const pip = ["-m", "pip", "install", "--quiet", "-r", join(root, ".ci", "requirements.txt")];
    if (!existsSync(python))
      spawnSync("python3", ["-m", "venv", ownPython], { stdio: ["ignore", "inherit", "inherit"] });
    spawnSync(python, pip, { stdio: ["ignore", "inherit", "inherit"] });
    if (!works()) return given("kubernetes-validate could not be installed with pip");
  }
  return {
    objects(file, version) {
      const args = ["-m", "kubernetes_validate", "-k", version, "--strict", file];
      const { status, stdout, stderr } = spawnSync(python, args, { encoding: "utf8" });
      const lines = `${stdout}${stderr}`.split("\n").filter((line) => line !== "");
      const wrong = lines.filter((line) => !line.startsWith("INFO "));
      return status === 0 || wrong.length > 0 ? wrong : [`ended with ${status}`];
    },
    expressions(expressions) {
      const { stdout, stderr, status } = spawnSync(python, ["-c", parseAll], {
        encoding: "utf8",
        input: JSON.stringify(expressions),
      });
      if (status !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as string[];
    },
  };
}

const parseAll = `
import json, sys, promql_parser
wrong = []
for expression in json.load(sys.stdin):
    try:
        promql_parser.parse(expression)
    except ValueError as error:
        wrong.append(f"{expression}: {error}")
print(json.dumps(wrong))
`;
