// The real adapter over loopback on the fleet endpoint.
import { createEc2Client, createEc2Cloud } from "../../../shared/adapters/ec2/index.ts";
import { groups, images, openRegion, subnets } from "../../local/ec2/small-region.ts";
import type { CloudSubject } from "./subject.ts";
import { runCloudSuite } from "./suite.ts";

const errorCodes = {
  throttled: "RequestLimitExceeded",
  unauthorized: "UnauthorizedOperation",
  unavailable: "InternalError",
} as const;
const actions = { launch: "CreateFleet", findByTags: "DescribeInstances" } as const;

runCloudSuite("EC2 adapter on the fleet endpoint", async (): Promise<CloudSubject> => {
  const { ec2, clock, endpoint, close } = await openRegion();
  const client = createEc2Client({
    region: "us-east-1",
    endpoint,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
  });
  return {
    cloud: createEc2Cloud({ client, clock }),
    subnets,
    securityGroup: groups.nodes,
    image: { id: images.x86, name: "amazon-eks-node-al2023-x86_64-standard-1.34-v20260101" },
    setFreeCapacity: (pool, count) => ec2.setFreeCapacity(pool, count),
    setFreeAddresses: (subnetId, count) => ec2.setFreeAddresses(subnetId, count),
    exhaustQuota(capacityType) {
      ec2.quotas[capacityType] = { standard: 0 };
      return () => {
        delete ec2.quotas[capacityType];
      };
    },
    replayWithoutInstances() {
      ec2.settings.replay = "no-instances";
      return () => {
        ec2.settings.replay = "same";
      };
    },
    failNext: (method, code) =>
      void ec2.faults.add({ kind: "error-before", action: actions[method], code: errorCodes[code], times: 1 }),
    loseNextLaunch: () => ec2.faults.add({ kind: "lost", action: "CreateFleet" }),
    settle() {
      clock.advance(60_000);
    },
    async close() {
      client.destroy();
      await close();
    },
  };
});
