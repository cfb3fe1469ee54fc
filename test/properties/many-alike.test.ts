// Many Deployments with rules of one kind, each for its own pods: the solver drafts them as one and then fills the nodes of
// the draft with true pods. The worlds are large enough for that; the judges know nothing of it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pod, Snapshot } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import { asks, capacityType, nodeClass, pod, pool, req, snapshot } from "../core/scheduling/fixtures.ts";
import { host, selector, zone } from "./company.ts";
import { faults } from "./feasibility.ts";
import { neighbourFaultsAtScale } from "./feasibility-at-scale.ts";

const kinds = ["free", "apart", "spread-host", "spread-two", "spread-zone", "near-zone", "other-host"] as const;

interface App {
  readonly kind: (typeof kinds)[number];
  readonly replicas: number;
  readonly cores: number;
  readonly gib: number;
  readonly pinned: boolean;
}

const app: fc.Arbitrary<App> = fc.record({
  kind: fc.constantFrom(...kinds),
  replicas: fc.integer({ min: 1, max: 12 }),
  cores: fc.constantFrom(0.25, 0.5, 1, 2),
  gib: fc.constantFrom(0.5, 1, 4),
  pinned: fc.boolean(),
});

function rulesOf({ kind }: App, index: number): Partial<Pod> {
  const own = selector(`app-${index}`);
  const term = { labelSelector: own, namespaces: [], matchLabelKeys: [], mismatchLabelKeys: [] };
  const spread = (topologyKey: string, maxSkew: number, labelSelector = own) => ({
    topologySpread: [
      {
        topologyKey,
        maxSkew,
        whenUnsatisfiable: "DoNotSchedule" as const,
        labelSelector,
        matchLabelKeys: [],
        nodeAffinityPolicy: "Honor" as const,
        nodeTaintsPolicy: "Ignore" as const,
      },
    ],
  });
  switch (kind) {
    case "apart":
      return { requiredPodAntiAffinity: [{ ...term, topologyKey: host }] };
    case "spread-host":
      return spread(host, 1);
    case "spread-two":
      return spread(host, 2);
    case "spread-zone":
      return spread(zone, 1);
    case "near-zone":
      return { requiredPodAffinity: [{ ...term, topologyKey: zone }] };
    case "other-host":
      return spread(host, 1, selector(`app-${index + 1}`));
    case "free":
      return {};
  }
}

const worlds: fc.Arbitrary<Snapshot> = fc
  .record({ apps: fc.array(app, { minLength: 12, maxLength: 40 }), spot: fc.boolean() })
  .map(({ apps, spot }) => {
    const pods = apps.flatMap((one, index) =>
      Array.from({ length: one.replicas }, (_, i) =>
        pod(`p-${index}-${i}`, {
          labels: { app: `app-${index}` },
          requests: asks(one.cores, one.gib),
          nodeSelector: one.pinned && one.kind === "free" ? { [zone]: ["z-a", "z-b", "z-c"][index % 3]! } : {},
          ...rulesOf(one, index),
        }),
      ),
    );
    const requirements = [
      req(capacityType, "In", ...(spot ? ["spot", "on-demand"] : ["on-demand"])),
      req("kubernetes.io/arch", "In", "amd64"),
    ];
    return snapshot({ pods, nodePools: [pool("main", { requirements })], nodeClasses: [nodeClass()] });
  });

const runs = { numRuns: Number(process.env.R ?? 25), seed: 20_261_203 };

describe("plans for many Deployments with rules that are alike", () => {
  it("places every pod, feasibly and by the rules", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const plan = planProvisioning(world);
        expect(plan.unschedulable).toEqual([]);
        expect([...faults(world, plan), ...neighbourFaultsAtScale(world, plan)]).toEqual([]);
      }),
      runs,
    );
  });

  it("is the same whatever the order of the pods", () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const turned = { ...world, pods: [...world.pods].reverse() };
        expect(JSON.stringify(planProvisioning(turned))).toBe(JSON.stringify(planProvisioning(world)));
      }),
      { ...runs, numRuns: 10 },
    );
  });

  it("costs little more than the same pods without their rules", () => {
    let [withRules, without] = [0, 0];
    const cost = (world: Snapshot): number =>
      planProvisioning(world).claims.reduce((total, { cheapest }) => total + cheapest.priceMicroUsd, 0);
    for (const world of fc.sample(worlds, { numRuns: 10, seed: 7 })) {
      withRules += cost(world);
      without += cost({
        ...world,
        pods: world.pods.map((one) => ({
          ...one,
          topologySpread: [],
          requiredPodAffinity: [],
          requiredPodAntiAffinity: [],
        })),
      });
    }
    expect(withRules / without).toBeLessThan(1.25);
  });
});
