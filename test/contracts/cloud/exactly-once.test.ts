// A launch that is repeated until it answers gives its instances once, whatever happened to the calls before.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fault } from "../../../local/ec2/faults.ts";
import { createEc2Client, createEc2Cloud } from "../../../shared/adapters/ec2/index.ts";
import type { FleetRequest } from "../../../shared/core/model/index.ts";
import { type Cloud, OperationError } from "../../../shared/ports/index.ts";
import { groups, images, openRegion, type Region, subnets } from "../../local/ec2/small-region.ts";

let region: Region;
let cloud: Cloud;
let stop: () => void;
let serial = 0;

beforeAll(async () => {
  region = await openRegion({ settings: { visibleAfterMs: 5_000 }, wait: async () => undefined });
  const client = createEc2Client({
    region: "us-east-1",
    endpoint: region.endpoint,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
  });
  cloud = createEc2Cloud({ client, clock: region.clock });
  stop = () => client.destroy();
});
afterAll(async () => {
  stop();
  await region.close();
});

function freshRequest(count: number): FleetRequest {
  const token = `once-${++serial}`;
  const place = { template: token, zone: "us-east-1b", subnetId: subnets.b, imageId: images.x86, priceMicroUsd: 1 };
  return {
    clientToken: token,
    count,
    capacityType: "spot",
    allocationStrategy: "price-capacity-optimized",
    templates: [
      {
        name: token,
        imageId: images.x86,
        userData: "",
        securityGroupIds: [groups.nodes],
        blockDevices: [],
        metadataOptions: {
          httpEndpoint: "enabled",
          httpProtocolIPv6: "disabled",
          httpPutResponseHopLimit: 1,
          httpTokens: "required",
        },
        detailedMonitoring: false,
        tags: {},
      },
    ],
    overrides: [
      { ...place, instanceType: "m5.large" },
      { ...place, instanceType: "c5.large" },
    ],
    tags: { launch: token },
  };
}

const mishaps: Readonly<Record<string, Fault>> = {
  throttled: { kind: "error-before", code: "RequestLimitExceeded" },
  broken: { kind: "error-before", code: "InternalError" },
  "broken after working": { kind: "error-after", code: "InternalError" },
  lost: { kind: "lost" },
  late: { kind: "delay", delayMs: 1 },
};
const mishapNames = fc.constantFrom(...Object.keys(mishaps));
const actions = fc.constantFrom("CreateFleet", "CreateLaunchTemplate");

/** Repeats as long as the error says that it may help. */
async function launchUntilAnswered(request: FleetRequest, mostAttempts: number): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await cloud.launch(request)).instances.map((i) => i.id);
    } catch (error) {
      if (!(error instanceof OperationError) || error.retry === "never" || attempt >= mostAttempts) throw error;
    }
  }
}

describe("a repeated launch", () => {
  it("gives its instances exactly once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(actions, mishapNames), { maxLength: 5 }),
        fc.constantFrom("same" as const, "no-instances" as const),
        fc.integer({ min: 1, max: 3 }),
        async (sequence, replay, count) => {
          region.ec2.settings.replay = replay;
          region.ec2.faults.clear();
          for (const [action, name] of sequence) region.ec2.faults.add({ ...mishaps[name]!, action, times: 1 });
          const request = freshRequest(count);
          const answered = await launchUntilAnswered(request, sequence.length + 1);
          region.clock.advance(5_000);
          region.ec2.faults.clear();
          const found = (await cloud.findByTags({ launch: request.clientToken })).map((i) => i.id);
          expect(found).toHaveLength(count);
          if (answered.length > 0) expect([...answered].sort()).toEqual(found);
          else expect(replay).toBe("no-instances");
          await cloud.terminate(found);
        },
      ),
      { numRuns: 40 },
    );
  });
});
