import type { ClusterSpec } from "./cluster-spec.ts";
import type { Functions } from "./functions.ts";
import { trustOf } from "./policy-text.ts";
import type { Home } from "./sites.ts";

// What runs by the clock: the tick every minute, which wakes everything else that is due (garbage collection too, by its
// agenda and the ten-minute net), and the catalog every hour.

/** What a schedule of EventBridge's own rules would send; functions read its type only. */
const scheduledEvent = {
  version: "0",
  source: "timmerman.schedule",
  "detail-type": "Scheduled Event",
  time: "<aws.scheduler.scheduled-time>",
};

export function createSchedules(functions: Functions, home: Home): void {
  const schedule = (name: string, rate: "rate(1 minute)" | "rate(1 hour)", fn: sst.aws.Function) =>
    new sst.aws.CronV2(name, {
      schedule: rate,
      function: fn.arn,
      event: scheduledEvent,
      transform: {
        role: (args) => {
          args.assumeRolePolicy = home.account.apply((account) =>
            trustOf("scheduler.amazonaws.com", { StringEquals: { "aws:SourceAccount": account } }),
          );
        },
      },
    });
  schedule("TickSchedule", "rate(1 minute)", functions.tick);
  schedule("CatalogSchedule", "rate(1 hour)", functions["refresh-catalog"]);
}

/**
 * The first hour needs a catalog too, and so does a region that is new. `after`: what the function reads, so that it is
 * there. A first refresh that fails, fails the deployment's last step: deploying again repeats it.
 */
export function refreshAtOnce(
  functions: Functions,
  clusters: readonly ClusterSpec[],
  after: readonly $util.Resource[],
): void {
  if (clusters.length === 0) return;
  const regions = [...new Set(clusters.map(({ region }) => region))].sort().join(" ");
  new aws.lambda.Invocation(
    "FirstCatalog",
    {
      functionName: functions["refresh-catalog"].name,
      input: JSON.stringify({ ...scheduledEvent, time: "1970-01-01T00:00:00Z" }),
      triggers: { regions },
    },
    { dependsOn: [...after] },
  );
}
