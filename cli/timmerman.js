#!/usr/bin/env node
// The `timmerman` command. The code is TypeScript that Node 24 runs as it is; an older Node hands over to the one that
// the package depends on. Plain JavaScript, so that any Node can start it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

if (Number(process.versions.node.split(".")[0]) >= 24) {
  const { main } = await import("./main.ts");
  process.exitCode = await main(process.argv.slice(2));
} else {
  const node24 = fileURLToPath(new URL("../node_modules/node/bin/node", import.meta.url));
  if (!existsSync(node24)) {
    process.stderr.write(
      `timmerman: this is Node ${process.versions.node}; run npm ci here to get Node 24, or use it\n`,
    );
    process.exit(1);
  }
  const child = spawn(node24, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  // The terminal sends Ctrl-C to both; the child decides when to end. Signals sent to this one alone are passed on.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128);
  });
}
