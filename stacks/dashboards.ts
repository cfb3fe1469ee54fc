// Dashboards as data, then as CloudWatch dashboards: one of all clusters, and one that shows whichever cluster is chosen at
// its top. Two, however many clusters there are: CloudWatch bills a dashboard, not what is on it.
import { clusterDashboard, fleetCells } from "./dashboards-fleet.ts";
import { activity, goingAway, holdings, latency, standing, waiting } from "./dashboards-parts.ts";
import { type Cell, formula, gaugePeriod, layOut, own, type Widget } from "./dashboards-widgets.ts";
import { type Monitored, metricNamed, namespace } from "./metrics.ts";

/** A choice at the top of a dashboard. */
export interface Variable {
  readonly type: "property";
  /** The dimension whose value is replaced in every graph. */
  readonly property: string;
  readonly inputType: "select";
  readonly id: string;
  readonly label: string;
  readonly visible: boolean;
  /** Which metrics the values to choose from are those of. */
  readonly search: string;
  readonly populateFrom: string;
  readonly defaultValue: string;
}

export interface DashboardBody<Name = string> {
  readonly start: string;
  readonly periodOverride: "inherit" | "auto";
  readonly variables?: readonly Variable[];
  readonly widgets: readonly Widget<Name>[];
}

export interface Dashboard<Name = string> {
  readonly name: string;
  readonly body: DashboardBody<Name>;
}

/** CloudWatch takes the first value that the search finds. */
const firstValue = "__FIRST";

/** A dashboard a month in us-east-1; CloudWatch gives the first three of an account away if they are small. */
export const dashboardMicroUsdPerMonth = 3_000_000;

/** Without metrics of clusters there is no dashboard of one. */
export function dashboards<Name>(input: Monitored<Name>): readonly Dashboard<Name>[] {
  const { deployment, region } = input;
  const fleet = { name: deployment, body: { ...look, widgets: layOut(fleetCells(input), region) } };
  if (input.metricsPerCluster === false) return [fleet];
  const body = {
    ...look,
    variables: [clusterVariable(deployment)],
    widgets: layOut(clusterCells<Name>(input), region),
  };
  return [fleet, { name: clusterDashboard(input), body }];
}

const look = { start: "-PT6H", periodOverride: "inherit" } as const;

function clusterVariable(deployment: string): Variable {
  const metric = metricNamed("timmerman_hourly_cost_micro_usd").name;
  return {
    type: "property",
    property: "cluster",
    inputType: "select",
    id: "cluster",
    label: "Cluster",
    visible: true,
    search: `{${namespace},service,cluster} MetricName="${metric}" service="${deployment}"`,
    populateFrom: "cluster",
    defaultValue: firstValue,
  };
}

/** `cluster` stands for whichever is chosen: the variable replaces it. */
function clusterCells<Name>({ deployment, clusters }: Monitored<Name>): Cell<Name>[] {
  const whose = { service: deployment, cluster: clusters[0] ?? "none" };
  return [
    {
      markdown: `# ${deployment}: one cluster\nChoose it above. All clusters: dashboard ${deployment}. See docs/monitoring.md.`,
    },
    {
      title: "Dollars an hour",
      unit: "USD/h",
      stat: "Maximum",
      period: gaugePeriod,
      lines: [
        own("timmerman_hourly_cost_micro_usd", whose, { id: "cost", visible: false }),
        formula("cost / 1000000", "cost"),
      ],
    },
    waiting(whose),
    standing(whose),
    ...holdings<Name>(whose),
    ...activity<Name>(whose),
    ...goingAway<Name>(whose),
    {
      title: "Orphans and missing heads",
      period: 300,
      lines: [
        own("timmerman_orphans_found_total", whose, { label: "orphans found" }),
        own("timmerman_orphans_terminated_total", whose, { label: "orphans terminated" }),
        own("timmerman_garbage_refusals_total", whose, { label: "garbage collections refused" }),
        own("timmerman_missing_heads_total", whose, { label: "runs without a head" }),
      ],
    },
    { markdown: "## Latency" },
    ...latency<Name>(whose),
  ];
}

/** As `aws.cloudwatch.Dashboard` takes it. */
export interface DashboardArgs<Body> {
  dashboardName: string;
  dashboardBody: Body;
}

/** Makes the dashboards: give it `aws.cloudwatch.Dashboard` and `$jsonStringify`. */
export function createDashboards<Name, Body, Made>(
  input: Monitored<Name>,
  Dashboard: new (name: string, args: DashboardArgs<Body>) => Made,
  stringify: (body: unknown) => Body,
): readonly Made[] {
  return dashboards(input).map(
    ({ name, body }) => new Dashboard(name, { dashboardName: name, dashboardBody: stringify(body) }),
  );
}
