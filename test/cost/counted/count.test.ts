// Hours of one cluster, counted: the exported handlers and the relay, with the real adapters, in virtual time.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dynoxideAvailable } from "../../../local/aws/dynamodb.ts";
import { functionNames } from "../../../stacks/names.ts";
import { differences, type HourName, hourTable, othersTable } from "../counted.ts";
import { readPage, readTable, withTable, writePage, writes } from "../tables.ts";
import {
  busyHour,
  deployFirstRelease,
  nodes,
  rolledPods,
  runningPods,
  settleCluster,
  standingNodes,
  waveNodes,
} from "../workload.ts";
import { type Bill, type CostWorld, startCostWorld } from "../world.ts";

const hourMs = 60 * 60_000;
const netsAnHour = 6;
/** Whether a run finds a cache still good, and tells the catalog's age, differs from hour to hour. */
const shareOf = (field: string) => (field === "logBytes" ? 0.15 : 0.1);
/** How many hours at rest are held against one: 24 show a day, in some minutes. */
const moreHours = Number(process.env.TIMMERMAN_COST_HOURS ?? 3);
/** At rest nothing hangs on how fast this computer is but the digits of what is logged, and when a cache is renewed. */
const restShare = 0.05;
/** Of events that come close after each other, what comes first hangs on the computer. */
const busyShare = 0.2;

const without = dynoxideAvailable() ? "" : " (skipped: no DynamoDB for this machine's platform)";

describe.skipIf(!dynoxideAvailable())(`what is counted${without}`, () => {
  let world: CostWorld;
  const bills = {} as Record<HourName, Bill>;
  let longer: Bill;
  let restedNodes: number;
  let busiedNodes: number;
  let launched: number;

  beforeAll(async () => {
    world = await startCostWorld();
    await settleCluster(world);
    restedNodes = nodes(world);
    world.startCold(true);
    const inNewProcesses = await world.measure(hourMs);
    world.startCold(false);
    // Past the first nets: what each process finds out once.
    await world.pass(hourMs / 4);
    bills.rest = await world.measure(hourMs);
    // The tick runs too often to find a new process; those of the others had been put under it.
    bills["rest-new"] = {
      ...inNewProcesses,
      functions: { ...inNewProcesses.functions, tick: bills.rest.functions.tick },
    };
    longer = await world.measure(moreHours * hourMs);
    await deployFirstRelease(world);
    const before = world.ec2.instances().length;
    bills.busy = await busyHour(world);
    launched = world.ec2.instances().length - before;
    busiedNodes = nodes(world);
  });
  afterAll(async () => {
    await world?.stop();
  });

  it("was a cluster that works", () => {
    expect(world.problems).toEqual([]);
    expect([restedNodes, busiedNodes]).toEqual([standingNodes, standingNodes]);
    expect(runningPods(world)).toBe(standingNodes + rolledPods);
    // One more for the node that was interrupted, if its pods did not fit elsewhere.
    expect(launched).toBeGreaterThanOrEqual(waveNodes);
    expect(launched).toBeLessThanOrEqual(waveNodes + 3);
  });

  it.each(["rest-new", "rest"] as const)("%s: each controller runs at its net and never else", (name) => {
    const { functions, relay, batches, busEvents, deliveries } = bills[name];
    const runs = Object.fromEntries(functionNames.map((each) => [each, functions[each].invocations]));
    expect(runs).toEqual({
      tick: 60,
      provision: netsAnHour,
      disrupt: netsAnHour,
      lifecycle: netsAnHour,
      "resolve-node-classes": netsAnHour,
      "collect-garbage": netsAnHour,
      "refresh-catalog": 1,
      interrupt: 0,
    });
    expect({ batches, busEvents, deliveries }).toEqual({ batches: 5 * netsAnHour, busEvents: 0, deliveries: 0 });
    expect(relay).toMatchObject({ dynamodb: 120, sqs: 0 });
    // A heartbeat is the item, and its place in the index left and taken.
    expect(relay.writeUnits).toBe(3 * 120);
  });

  it.each(["rest-new", "rest"] as const)("%s: nobody asks whom nothing can have changed for", (name) => {
    const { functions } = bills[name];
    const asksEc2 = functionNames.filter((each) => functions[each].ec2 > 0).sort();
    expect(asksEc2).toEqual(["collect-garbage", "refresh-catalog", "resolve-node-classes"]);
    expect(functions["collect-garbage"].ec2).toBe(netsAnHour);
    expect(functionNames.filter((each) => functions[each].kube > 0).sort()).toEqual([
      "collect-garbage",
      "disrupt",
      "lifecycle",
      "provision",
      "resolve-node-classes",
    ]);
    // A list of each kind; in a new process, and hourly in one that stays, the version and kube-system.
    for (const each of functionNames) {
      expect(functions[each].kube, each).toBeLessThanOrEqual(name === "rest" ? 10 * netsAnHour + 2 : 13 * netsAnHour);
    }
    for (const each of ["provision", "disrupt", "lifecycle", "resolve-node-classes", "collect-garbage"] as const) {
      // A lease that is taken and given back, and an agenda that stays as it is.
      expect(functions[each].writeUnits, each).toBe(3 * netsAnHour);
      expect(functions[each].sqs, each).toBe(0);
    }
    // Beside the lists: a process asks once in half an hour whether somebody has said what is odd about the pool.
    expect(functions.provision.kube).toBeLessThanOrEqual(functions.disrupt.kube + netsAnHour);
    expect(functions.tick.sqs).toBe(5 * netsAnHour);
    // With the net, whether the relay has an entry on the agenda that is none of the future.
    expect(functions.tick.writeUnits).toBe(netsAnHour);
  });

  it(`${moreHours} more hours at rest are as many such hours, but for one run of each a day that the agenda asks for`, () => {
    for (const name of functionNames) {
      const [hour, all] = [bills.rest.functions[name], longer.functions[name]];
      const moreRuns = all.invocations - moreHours * hour.invocations;
      expect(moreRuns, name).toBeGreaterThanOrEqual(0);
      expect(moreRuns, name).toBeLessThanOrEqual(Math.ceil(moreHours / 24));
      for (const field of ["readUnits", "writeUnits", "dynamodb", "kube", "ec2", "logBytes"] as const) {
        const off = Math.abs(all[field] / hour[field] - moreHours);
        if (hour[field] === 0) expect(all[field], `${name} ${field}`).toBe(0);
        else expect(off, `${name} ${field}`).toBeLessThanOrEqual(moreHours * shareOf(field) + 1 / netsAnHour);
      }
    }
    expect(longer.relay.writeUnits).toBe(moreHours * bills.rest.relay.writeUnits);
  });

  it.each([
    ["rest-new", restShare],
    ["rest", restShare],
    ["busy", busyShare],
  ] as const)("%s: is what docs/cost.md says", (name, share) => {
    const counted = hourTable(bills[name]);
    if (writes) writePage(withTable(readPage(), name, counted));
    expect(differencesFrom(name, counted, share)).toEqual([]);
  });

  it("so is the rest of it", () => {
    const counted = othersTable({ "rest-new": bills["rest-new"], rest: bills.rest, busy: bills.busy });
    if (writes) writePage(withTable(readPage(), "others", counted));
    expect(differencesFrom("others", counted, busyShare)).toEqual([]);
  });

  it("prints what runs took here, for the assumptions of docs/cost.md", () => {
    for (const [hour, { functions }] of Object.entries(bills)) {
      const each = functionNames
        .filter((name) => functions[name].invocations > 0)
        .map((name) => `${name} ${Math.round(functions[name].wallMs / functions[name].invocations)}`);
      expect(each.length, hour).toBeGreaterThanOrEqual(functionNames.length - 1);
      process.stdout.write(`${hour}, ms a run on loopback: ${each.join(", ")}\n`);
    }
  });
});

function differencesFrom(name: string, counted: string, share: number): readonly string[] {
  const asPage = `<!-- ${name} -->\n${counted}\n<!-- /${name} -->`;
  return differences(readTable(readPage(), name), readTable(asPage, name), share);
}
