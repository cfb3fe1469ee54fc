import { describe, expect, it } from "vitest";
import { claim, condition, startMs } from "./kept.ts";
import { scraping } from "./scrape.ts";

const told = (reason: string) => [condition("Initialized"), condition("DisruptionReason", "True", reason, startMs)];

describe("NodeClaims that come", () => {
  it("are counted by why they were made, as far as they tell, but not those of the first list", () => {
    const { view, list, lines } = scraping();
    view.put("NodeClaim", claim("old"));
    list();
    view.put("NodeClaim", claim("silent"));
    view.put("NodeClaim", claim("new", { annotations: { "timmerman/made-for": "provisioned" } }));
    const relaxed = { "timmerman/made-for": "drifted", "karpenter.sh/nodeclaim-min-values-relaxed": "true" };
    view.put("NodeClaim", claim("relaxed", { annotations: relaxed }));
    view.put("NodeClaim", claim("relaxed", { annotations: relaxed, generation: 2 }));
    expect(lines("karpenter_nodeclaims_created_total")).toEqual([
      'karpenter_nodeclaims_created_total{reason="",nodepool="default",min_values_relaxed="false"} 1',
      'karpenter_nodeclaims_created_total{reason="provisioned",nodepool="default",min_values_relaxed="false"} 1',
      'karpenter_nodeclaims_created_total{reason="drifted",nodepool="default",min_values_relaxed="true"} 1',
    ]);
  });

  it("are not counted again when the functions make a vanished mirror anew", () => {
    const { view, list, lines } = scraping();
    view.put("NodeClaim", claim("a"));
    list();
    view.remove("NodeClaim", "uid-of-claim-a");
    view.put("NodeClaim", claim("a", { uid: "another" }));
    expect(lines("karpenter_nodeclaims_created_total")).toEqual([]);
    expect(lines("karpenter_nodeclaims_terminated_total")).toEqual([]);
  });
});

describe("a list after a watch that broke", () => {
  it("counts what came and what went meanwhile, and nothing that stayed", () => {
    const { view, list, lines } = scraping();
    view.put("NodeClaim", claim("stays"));
    view.put("NodeClaim", claim("goes", { conditions: told("Expired") }));
    list();
    view.startList("NodeClaim");
    view.put("NodeClaim", claim("stays"));
    view.put("NodeClaim", claim("came"));
    view.endList("NodeClaim");
    expect(lines("karpenter_nodeclaims_created_total").map((line) => line.split(" ")[1])).toEqual(["1"]);
    expect(lines("karpenter_nodeclaims_terminated_total").map((line) => line.split(" ")[1])).toEqual(["1"]);
  });
});

describe("NodeClaims that go", () => {
  it("took from the wish and their instances from the call until they were gone", () => {
    const { view, list, at, lines, samples } = scraping();
    list();
    const going = [condition("DisruptionReason", "True", "Expired"), condition("Drained")];
    view.put("NodeClaim", claim("a", { conditions: going }));
    const ended = condition("InstanceTerminating", "True", "InstanceTerminating", startMs + 60_000);
    view.put("NodeClaim", claim("a", { conditions: [...going, ended], deletionAtMs: startMs + 99_000 }));
    at(100);
    view.remove("NodeClaim", "uid-of-claim-a");
    expect(lines("karpenter_nodeclaims_terminated_total")).toEqual([
      'karpenter_nodeclaims_terminated_total{nodepool="default",capacity_type="spot",zone="eu-west-1a"} 1',
    ]);
    expect(lines("karpenter_nodeclaims_termination_duration_seconds_sum")).toEqual([
      'karpenter_nodeclaims_termination_duration_seconds_sum{nodepool="default"} 100',
    ]);
    expect(lines("karpenter_nodeclaims_instance_termination_duration_seconds_sum")).toEqual([
      'karpenter_nodeclaims_instance_termination_duration_seconds_sum{nodepool="default"} 40',
    ]);
    expect(lines("karpenter_nodes_drained_total")).toEqual(['karpenter_nodes_drained_total{nodepool="default"} 1']);
    const bounds = (family: string) => samples(family).flatMap(({ labels }) => labels.le ?? []);
    expect(bounds("karpenter_nodeclaims_termination_duration_seconds").join(" ")).toBe(
      "1 2 4 8 16 32 64 128 256 512 1024 2048 +Inf",
    );
    expect(bounds("karpenter_nodeclaims_instance_termination_duration_seconds").join(" ")).toBe(
      "1 2 4 8 16 32 64 128 256 512 1024 +Inf",
    );
  });
});

describe("karpenter_nodeclaims_disrupted_total", () => {
  it.each([
    ["SpotInterrupted", "spot_interrupted"],
    ["Drifted", "drifted"],
    ["RegistrationTimeout", "registration_timeout"],
    ["NodeclassNotReady", "nodeclass_not_ready"],
  ])("counts %s as %s, once", (reason, label) => {
    const { view, list, lines } = scraping();
    list();
    view.put("NodeClaim", claim("a"));
    view.put("NodeClaim", claim("a", { conditions: told(reason) }));
    view.put("NodeClaim", claim("a", { conditions: [...told(reason), condition("Drained")] }));
    expect(lines("karpenter_nodeclaims_disrupted_total")).toEqual([
      `karpenter_nodeclaims_disrupted_total{reason="${label}",nodepool="default",capacity_type="spot"} 1`,
    ]);
  });

  it("leaves out what people delete, and what the first list tells", () => {
    const { view, list, lines } = scraping();
    view.put("NodeClaim", claim("old", { conditions: told("Empty") }));
    list();
    view.put("NodeClaim", claim("a", { conditions: told("Deleted") }));
    expect(lines("karpenter_nodeclaims_disrupted_total")).toEqual([]);
  });
});

describe("karpenter_voluntary_disruption_decisions_total", () => {
  const command = {
    "timmerman/command": "c1",
    "timmerman/decision": "replace",
    "timmerman/consolidation-type": "multi",
  };

  it("counts a command once, and once for each pool that it touches", () => {
    const { view, list, lines } = scraping();
    list();
    const going = { annotations: command, conditions: told("Underutilized") };
    view.put("NodeClaim", claim("a", going));
    view.put("NodeClaim", claim("b", going));
    view.put("NodeClaim", claim("c", { ...going, nodePool: "other" }));
    view.remove("NodeClaim", "uid-of-claim-a");
    view.put("NodeClaim", claim("d", going));
    const labels = 'decision="replace",reason="underutilized",consolidation_type="multi"';
    expect(lines("karpenter_voluntary_disruption_decisions_total")).toEqual([
      `karpenter_voluntary_disruption_decisions_total{${labels}} 1`,
    ]);
    expect(lines("karpenter_voluntary_disruption_decisions_by_nodepool_total")).toEqual([
      `karpenter_voluntary_disruption_decisions_by_nodepool_total{nodepool="default",${labels}} 1`,
      `karpenter_voluntary_disruption_decisions_by_nodepool_total{nodepool="other",${labels}} 1`,
    ]);
  });

  it("waits for the command's name, which comes after the condition", () => {
    const { view, list, lines } = scraping();
    list();
    view.put("NodeClaim", claim("a", { conditions: told("Empty") }));
    expect(lines("karpenter_voluntary_disruption_decisions_total")).toEqual([]);
    for (const generation of [2, 3]) {
      view.put("NodeClaim", claim("a", { annotations: command, conditions: told("Empty"), generation }));
    }
    view.remove("NodeClaim", "uid-of-claim-a");
    expect(lines("karpenter_voluntary_disruption_decisions_total")).toEqual([
      'karpenter_voluntary_disruption_decisions_total{decision="replace",reason="empty",consolidation_type="multi"} 1',
    ]);
  });

  it("counts each claim that never names a command as one when it is gone, what is not known left empty", () => {
    const { view, list, lines } = scraping();
    list();
    for (const name of ["a", "b"]) view.put("NodeClaim", claim(name, { conditions: told("Empty") }));
    for (const name of ["a", "b"]) view.remove("NodeClaim", `uid-of-claim-${name}`);
    expect(lines("karpenter_voluntary_disruption_decisions_total")).toEqual([
      'karpenter_voluntary_disruption_decisions_total{decision="",reason="empty",consolidation_type=""} 2',
    ]);
  });

  it.each(["SpotInterrupted", "Expired", "InstanceTerminated", "Deleted"])("takes %s for no choice", (reason) => {
    const { view, list, lines } = scraping();
    list();
    view.put("NodeClaim", claim("a", { annotations: command, conditions: told(reason) }));
    expect(lines("karpenter_voluntary_disruption_decisions_total")).toEqual([]);
  });
});
