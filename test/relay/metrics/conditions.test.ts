import { describe, expect, it } from "vitest";
import { claim, condition, node, nodeClass, pool, startMs } from "./kept.ts";
import { scraping } from "./scrape.ts";

describe("conditions as they are", () => {
  it.each([
    [
      "NodeClaim",
      claim("a", { conditions: [condition("Launched", "Unknown", "LaunchFailed")] }),
      'operator_nodeclaim_status_condition_count{namespace="",name="default-a",type="Launched",status="Unknown",reason="LaunchFailed",karpenter_k8s_aws_ec2nodeclass="standard",karpenter_sh_nodepool="default"} 1',
    ],
    [
      "Node",
      node("a"),
      'operator_node_status_condition_count{namespace="",name="a",type="Ready",status="True",reason="KubeletReady",karpenter_k8s_aws_ec2nodeclass="standard",karpenter_sh_nodepool="default",karpenter_sh_initialized="true"} 1',
    ],
    [
      "NodePool",
      pool("default"),
      'operator_nodepool_status_condition_count{namespace="",name="default",type="Ready",status="True",reason="Ready"} 1',
    ],
    [
      "EC2NodeClass",
      nodeClass("standard", { conditions: [condition("SubnetsReady", "False", "SubnetsNotFound")] }),
      'operator_ec2nodeclass_status_condition_count{namespace="",name="standard",type="SubnetsReady",status="False",reason="SubnetsNotFound"} 1',
    ],
  ] as const)("of a %s", (kind, object, line) => {
    const { view, at, lines } = scraping();
    view.put(kind, object as never);
    at(90);
    const prefix = `operator_${kind.toLowerCase()}_status_condition`;
    expect(lines(`${prefix}_count`)).toEqual([line]);
    expect(lines(`${prefix}_current_status_seconds`)).toEqual([
      line.replace("_count{", "_current_status_seconds{").replace(/1$/, "90"),
    ]);
  });

  it("of all but nodes also without a kind in the name", () => {
    const { view, lines } = scraping();
    view.put("Node", node("a"));
    view.put("NodePool", pool("default"));
    view.put("EC2NodeClass", nodeClass("standard"));
    const rest = 'type="Ready",status="True",reason="Ready"';
    expect(lines("operator_status_condition_count")).toEqual([
      `operator_status_condition_count{namespace="",name="default",${rest},group="karpenter.sh",kind="NodePool"} 1`,
      `operator_status_condition_count{namespace="",name="standard",${rest},group="karpenter.k8s.aws",kind="EC2NodeClass"} 1`,
    ]);
  });
});

describe("conditions that change", () => {
  it("are counted by what they became, and timed by what they were", () => {
    const { view, list, lines } = scraping();
    view.put("NodePool", pool("default", { conditions: [condition("Ready", "False", "NodeClassNotFound")] }));
    list();
    expect(lines("operator_nodepool_status_condition_transitions_total")).toEqual([]);
    const ready = condition("Ready", "True", "Ready", startMs + 3000);
    view.put("NodePool", pool("default", { conditions: [ready] }));
    view.put("NodePool", pool("default", { conditions: [ready], weight: 5 }));
    expect(lines("operator_nodepool_status_condition_transitions_total")).toEqual([
      'operator_nodepool_status_condition_transitions_total{type="Ready",status="True",reason="Ready"} 1',
    ]);
    expect(lines("operator_nodepool_status_condition_transition_seconds_sum")).toEqual([
      'operator_nodepool_status_condition_transition_seconds_sum{type="Ready",status="False"} 3',
    ]);
    expect(lines("operator_status_condition_transitions_total")).toEqual([
      'operator_status_condition_transitions_total{type="Ready",status="True",reason="Ready",group="karpenter.sh",kind="NodePool"} 1',
    ]);
  });

  it("have Karpenter's bounds", () => {
    const { view, list, samples } = scraping();
    const change = (to: "True" | "False") => {
      view.put("NodePool", pool("default", { conditions: [condition("Ready", to)] }));
      view.put("EC2NodeClass", nodeClass("standard", { conditions: [condition("Ready", to)] }));
    };
    change("False");
    list();
    change("True");
    const bounds = (kind: string) =>
      samples(`operator_${kind}_status_condition_transition_seconds`).flatMap(({ labels }) => labels.le ?? []);
    expect(bounds("nodepool").join(" ")).toBe("0.5 1 2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 +Inf");
    expect(bounds("ec2nodeclass").join(" ")).toBe("0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf");
  });
});

describe("deletions", () => {
  it("are timed while they last and when they are done", () => {
    const { view, list, at, lines } = scraping();
    list();
    view.put("EC2NodeClass", nodeClass("standard", { deletionAtMs: startMs }));
    at(20);
    expect(lines("operator_ec2nodeclass_termination_current_time_seconds")).toEqual([
      'operator_ec2nodeclass_termination_current_time_seconds{namespace="",name="standard"} 20',
    ]);
    view.remove("EC2NodeClass", "uid-of-class-standard");
    expect(lines("operator_ec2nodeclass_termination_current_time_seconds")).toEqual([]);
    expect(lines("operator_ec2nodeclass_termination_duration_seconds_sum")).toEqual([
      "operator_ec2nodeclass_termination_duration_seconds_sum 20",
    ]);
  });
});
