// What the relay takes for 100,000 pods (or as many as the first argument says): the bundle with the flags of its image, on
// a list, a storm of changes, pods that come and go, scrapes with and without compression, and a second list. Prints JSON:
// `node test/relay/measure-memory.ts [pods]`. RELAY_NODE_FLAGS tries other flags.
import { setTimeout as sleep } from "node:timers/promises";
import { measuredLife } from "./memory/measured-life.ts";
import { startMeasuredRelay } from "./memory/measured-relay.ts";

const pods = Number(process.argv[2] ?? 100_000);
const nodes = Math.max(1, Math.round(pods / 50));
const flags = process.env.RELAY_NODE_FLAGS?.split(" ").filter(Boolean);
const relay = await startMeasuredRelay(pods, nodes, flags);
try {
  const life = await measuredLife(relay, pods);
  await sleep(15_000);
  const residentBytes = { ...life.residentBytes, atRest: relay.memoryBytes("VmRSS") };
  process.stdout.write(`${JSON.stringify({ pods, nodes, ...life, residentBytes }, null, 1)}\n`);
} finally {
  await relay.stop();
}
