// The plan for people: what comes, what goes, what stays and why, and what it costs.
import { parseQuantity } from "../../shared/core/resources/index.ts";
import { type Column, columns } from "./columns.ts";
import { explanationLines } from "./explanation.ts";
import type { Paint } from "./paint.ts";
import type { PlanDocument, PrintedClaim } from "./plan-document.ts";

/** Beyond this many rows, equal ones are counted instead of listed: a screen is to be read. */
const maxRows = 40;
/** Beyond this many, names of pods are cut. */
const maxNames = 3;

export function planTable(plan: PlanDocument, paint: Paint): string {
  const sections = [
    newNodes(plan, paint),
    existingNodes(plan, paint),
    disruption(plan, paint),
    leaving(plan, paint),
    blocked(plan, paint),
    unschedulable(plan, paint),
    ignored(plan, paint),
    warnings(plan, paint),
    ...(plan.explanations ?? []).map((one) => explanationLines(one, paint)),
  ].filter((lines) => lines.length > 0);
  return [...sections.map((lines) => lines.join("\n")), summary(plan, paint)].join("\n\n").concat("\n");
}

function money(usd: number): string {
  return `$${usd.toFixed(usd !== 0 && Math.abs(usd) < 1 ? 4 : 2)}`;
}

function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString("en-US")} ${amount === 1 ? one : many}`;
}

function cores(claim: PrintedClaim): string {
  return String(Math.round(parseQuantity(claim.requests.cpu ?? "0", "cpu", "up") / 100) / 10);
}

function gib(claim: PrintedClaim): string {
  const bytes = parseQuantity(claim.requests.memory ?? "0", "memory", "up");
  return `${Math.round((bytes / 1_073_741_824) * 10) / 10}Gi`;
}

function names(pods: readonly string[]): string {
  const rest = pods.length - maxNames;
  const shown = pods.slice(0, maxNames).join(", ");
  return rest > 0 ? `${shown} and ${rest.toLocaleString("en-US")} more` : shown;
}

const claimColumns: readonly Column[] = [
  { title: "NODECLAIM" },
  { title: "NODEPOOL" },
  { title: "INSTANCE TYPE" },
  { title: "ZONE" },
  { title: "CAPACITY" },
  { title: "$/H", align: "right" },
  { title: "PODS", align: "right" },
  { title: "CPU", align: "right" },
  { title: "MEMORY", align: "right" },
  { title: "TYPES", align: "right" },
];

function newNodes({ nodeClaims }: PlanDocument, paint: Paint): string[] {
  if (nodeClaims.length === 0) return [];
  if (nodeClaims.length > maxRows) return groupedNodes(nodeClaims, paint);
  const rows = nodeClaims.map((claim) => {
    const { instanceType, zone, capacityType, pricePerHour } = claim.cheapest;
    const place = [claim.name, claim.nodePool, instanceType, zone, capacityType, pricePerHour.toFixed(4)];
    return [...place, String(claim.pods.length), cores(claim), gib(claim), String(claim.instanceTypes.length)];
  });
  const [title, ...lines] = columns(claimColumns, rows);
  const explained = lines.flatMap((line, index) => [line, paint.dim(`  ↳ ${why(nodeClaims[index]!)}`)]);
  return [paint.bold(`NEW NODES (${nodeClaims.length})`), title!, ...explained];
}

function why(claim: PrintedClaim): string {
  const others = claim.instanceTypes.length - 1;
  const choice =
    others === 0
      ? `${claim.cheapest.instanceType} is the only type that fits`
      : `cheapest of ${count(claim.instanceTypes.length, "type")} that fit, next ${claim.instanceTypes[1]}`;
  return `${names(claim.pods)}: ${choice}`;
}

function groupedNodes(claims: readonly PrintedClaim[], paint: Paint): string[] {
  const groups = new Map<string, { first: PrintedClaim; nodes: number; pods: number; usd: number }>();
  for (const claim of claims) {
    const { instanceType, zone, capacityType } = claim.cheapest;
    const key = [claim.nodePool, instanceType, zone, capacityType].join("/");
    const group = groups.get(key) ?? { first: claim, nodes: 0, pods: 0, usd: 0 };
    groups.set(key, group);
    group.nodes++;
    group.pods += claim.pods.length;
    group.usd += claim.cheapest.pricePerHour;
  }
  const rows = [...groups.values()]
    .sort((a, b) => b.usd - a.usd || (a.first.name < b.first.name ? -1 : 1))
    .map(({ first, nodes, pods, usd }) => {
      const { instanceType, zone, capacityType, pricePerHour } = first.cheapest;
      const each = [first.nodePool, instanceType, zone, capacityType, pricePerHour.toFixed(4)];
      return [String(nodes), ...each, usd.toFixed(2), pods.toLocaleString("en-US")];
    });
  const titles: Column[] = [
    { title: "NODES", align: "right" },
    ...claimColumns.slice(1, 5),
    { title: "$/H EACH", align: "right" },
    { title: "$/H", align: "right" },
    { title: "PODS", align: "right" },
  ];
  return [paint.bold(`NEW NODES (${claims.length.toLocaleString("en-US")}, grouped)`), ...columns(titles, rows)];
}

function existingNodes({ existingNodes: nodes }: PlanDocument, paint: Paint): string[] {
  if (nodes.length === 0) return [];
  const rows = nodes.slice(0, maxRows).map(({ node, pods }) => [node, String(pods.length), names(pods)]);
  const titles: Column[] = [{ title: "NODE" }, { title: "PODS", align: "right" }, { title: "WHICH" }];
  return [
    paint.bold(`ON NODES THAT ARE THERE (${nodes.length})`),
    ...columns(titles, rows),
    ...cut(nodes.length, paint),
  ];
}

function cut(length: number, paint: Paint): string[] {
  return length > maxRows ? [paint.dim(`… and ${count(length - maxRows, "row")} more (-o json has all)`)] : [];
}

function disruption({ disruption: commands }: PlanDocument, paint: Paint): string[] {
  if (commands.length === 0) return [];
  const rows = commands
    .slice(0, maxRows)
    .map(({ decision, reason, nodes, replacements, savingsPerHour }) => [
      decision,
      reason,
      names(nodes),
      replacements.map((claim) => claim.cheapest.instanceType).join(", ") || "-",
      savingsPerHour.toFixed(4),
    ]);
  const titles: Column[] = [
    { title: "DECISION" },
    { title: "REASON" },
    { title: "NODES" },
    { title: "REPLACED BY" },
    { title: "SAVES $/H", align: "right" },
  ];
  return [paint.bold(`NODES THAT GO (${commands.length})`), ...columns(titles, rows), ...cut(commands.length, paint)];
}

function leaving({ leaving: nodes }: PlanDocument, paint: Paint): string[] {
  if (nodes.length === 0) return [];
  const rows = nodes.slice(0, maxRows).map(({ node, reason, since }) => [node, since, reason]);
  const titles: Column[] = [{ title: "NODE" }, { title: "SINCE" }, { title: "REASON" }];
  return [paint.bold(`LEAVING ALREADY (${nodes.length})`), ...columns(titles, rows), ...cut(nodes.length, paint)];
}

/** Nodes with the same reasons are told once. */
function blocked({ blocked: nodes }: PlanDocument, paint: Paint): string[] {
  if (nodes.length === 0) return [];
  const byReasons = new Map<string, string[]>();
  for (const { node, reasons } of nodes) {
    const why = reasons.join("; ");
    const group = byReasons.get(why);
    if (group === undefined) byReasons.set(why, [node]);
    else group.push(node);
  }
  const rows = [...byReasons].slice(0, maxRows).map(([why, group]) => [String(group.length), names(group), why]);
  const titles: Column[] = [{ title: "NODES", align: "right" }, { title: "WHICH" }, { title: "WHY" }];
  return [paint.bold(`NODES THAT STAY (${nodes.length})`), ...columns(titles, rows), ...cut(byReasons.size, paint)];
}

/** Pods with the same reasons are told once. */
function unschedulable({ unschedulable: verdicts }: PlanDocument, paint: Paint): string[] {
  if (verdicts.length === 0) return [];
  const groups = new Map<string, { pods: string[]; lines: string[] }>();
  for (const { pod, reason, nodePools } of verdicts) {
    const pools = Object.keys(nodePools)
      .sort()
      .filter((pool) => !reason.includes(nodePools[pool]!));
    const lines = [reason, ...pools.map((pool) => `  ${pool}: ${nodePools[pool]}`)];
    const group = groups.get(lines.join("\n")) ?? { pods: [], lines };
    groups.set(lines.join("\n"), group);
    group.pods.push(pod);
  }
  const shown = [...groups.values()].slice(0, maxRows);
  const told = shown.flatMap(({ pods, lines }) => [
    names(pods),
    ...lines.map((line, index) => (index === 0 ? `  ${line}` : paint.dim(`  ${line}`))),
  ]);
  return [
    paint.red(`PODS WITHOUT A PLACE (${verdicts.length.toLocaleString("en-US")})`),
    ...told,
    ...cut(groups.size, paint),
  ];
}

function ignored({ ignored: pods }: PlanDocument, paint: Paint): string[] {
  if (pods.length === 0) return [];
  const byReason = new Map<string, string[]>();
  for (const { pod, reason } of pods) byReason.set(reason, [...(byReason.get(reason) ?? []), pod]);
  return [
    paint.bold(`NOT CONSIDERED (${pods.length.toLocaleString("en-US")})`),
    ...[...byReason].map(([reason, list]) => `${names(list)}: ${reason}`),
  ];
}

function warnings({ warnings: list }: PlanDocument, paint: Paint): string[] {
  return list.map(({ object, field, message }) =>
    paint.yellow(`Warning: ${object}${field === undefined ? "" : `: ${field}`}: ${message}`),
  );
}

function summary(plan: PlanDocument, paint: Paint): string {
  const placed = plan.nodeClaims.reduce((sum, claim) => sum + claim.pods.length, 0);
  const reused = plan.existingNodes.reduce((sum, node) => sum + node.pods.length, 0);
  const gone = plan.disruption.reduce((sum, command) => sum + command.nodes.length, 0);
  const waiting = plan.unschedulable.length;
  const asked = placed + reused + waiting;
  const parts = [
    asked === 0
      ? "No pod waits for a place"
      : `${count(plan.nodeClaims.length, "new node")} for ${count(placed, "pod")}`,
  ];
  if (reused > 0) parts.push(`${count(reused, "pod")} on nodes that are there`);
  if (gone > 0) parts.push(`${count(gone, "node")} ${gone === 1 ? "goes" : "go"}`);
  if (plan.leaving.length > 0) parts.push(`${count(plan.leaving.length, "node")} leaving already`);
  if (asked > 0)
    parts.push(
      waiting === 0 ? paint.green("every pod has a place") : paint.red(`${count(waiting, "pod")} without a place`),
    );
  const { currentPerHour, plannedPerHour } = plan.cost;
  const cost = `Cost: ${money(currentPerHour)}/h now, ${paint.bold(`${money(plannedPerHour)}/h`)} planned`;
  const until = plan.nextChangeAt === null ? "until something changes" : `until ${plan.nextChangeAt} at the latest`;
  return `${parts.join("; ")}.\n${cost}. The plan holds ${until}.`;
}
