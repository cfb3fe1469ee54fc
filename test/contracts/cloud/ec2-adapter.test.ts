// What only the EC2 adapter can show: its table of errors, its bytes, its retries and its bounds.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { classOf, classOfName, toOperationError } from "../../../shared/adapters/ec2/classify.ts";
import { createEc2Client, createEc2Cloud, type Ec2ClientOptions } from "../../../shared/adapters/ec2/index.ts";
import { toFleetInput, toTemplateInput } from "../../../shared/adapters/ec2/requests.ts";
import type { FleetRequest } from "../../../shared/core/model/index.ts";
import type { Cloud } from "../../../shared/ports/index.ts";
import { catalog, groups, images, openRegion, type Region, subnets } from "../../local/ec2/small-region.ts";
import { recordBodies } from "./recorder.ts";

const request: FleetRequest = {
  clientToken: "launch-1",
  count: 2,
  capacityType: "spot",
  allocationStrategy: "price-capacity-optimized",
  templates: [
    {
      name: "timmerman/0a1b",
      imageId: images.x86,
      userData: "MIME-Version: 1.0\n",
      securityGroupIds: [groups.nodes],
      instanceProfile: "nodes",
      blockDevices: [
        {
          deviceName: "/dev/xvda",
          rootVolume: true,
          volumeSizeGiB: 20,
          volumeType: "gp3",
          iops: 3000,
          throughput: 125,
          encrypted: true,
          deleteOnTermination: true,
        },
        {
          deviceName: "/dev/xvdb",
          rootVolume: false,
          snapshotId: "snap-1",
          kmsKeyId: "key-1",
          volumeInitializationRate: 100,
        },
      ],
      metadataOptions: {
        httpEndpoint: "enabled",
        httpProtocolIPv6: "disabled",
        httpPutResponseHopLimit: 1,
        httpTokens: "required",
      },
      detailedMonitoring: true,
      tags: { cluster: "demo" },
    },
  ],
  overrides: [
    {
      template: "timmerman/0a1b",
      instanceType: "m5.large",
      zone: "us-east-1a",
      subnetId: subnets.a,
      imageId: images.x86,
      priceMicroUsd: 41_000,
    },
    {
      template: "timmerman/0a1b",
      instanceType: "c5.large",
      zone: "us-east-1b",
      subnetId: subnets.b,
      imageId: images.x86,
      priority: 1,
      priceMicroUsd: 34_000,
    },
  ],
  tags: { launch: "1", cluster: "demo" },
};

describe("the requests", () => {
  it("carry everything of the sealed fleet", () => {
    expect(toFleetInput(request)).toEqual({
      Type: "instant",
      ClientToken: "launch-1",
      LaunchTemplateConfigs: [
        {
          LaunchTemplateSpecification: { LaunchTemplateName: "timmerman/0a1b", Version: "1" },
          Overrides: [
            { InstanceType: "m5.large", SubnetId: subnets.a, AvailabilityZone: "us-east-1a", ImageId: images.x86 },
            {
              InstanceType: "c5.large",
              SubnetId: subnets.b,
              AvailabilityZone: "us-east-1b",
              ImageId: images.x86,
              Priority: 1,
            },
          ],
        },
      ],
      TargetCapacitySpecification: { TotalTargetCapacity: 2, DefaultTargetCapacityType: "spot" },
      SpotOptions: { AllocationStrategy: "price-capacity-optimized" },
      TagSpecifications: ["instance", "volume", "fleet"].map((ResourceType) => ({
        ResourceType,
        Tags: [
          { Key: "cluster", Value: "demo" },
          { Key: "launch", Value: "1" },
        ],
      })),
    });
  });

  it("buy on demand, and use a reservation, at the lowest price", () => {
    for (const capacityType of ["on-demand", "reserved"] as const) {
      const input = toFleetInput({ ...request, capacityType, allocationStrategy: "lowest-price" });
      expect(input.TargetCapacitySpecification?.DefaultTargetCapacityType).toBe("on-demand");
      expect(input.OnDemandOptions).toEqual({ AllocationStrategy: "lowest-price" });
      expect(input.SpotOptions).toBeUndefined();
    }
  });

  it("buy a capacity block in its own market", () => {
    const templates = [
      { ...request.templates[0]!, capacityReservationId: "cr-0b", marketType: "capacity-block" as const },
    ];
    const input = toFleetInput({ ...request, templates, capacityType: "reserved", allocationStrategy: "lowest-price" });
    expect(input.TargetCapacitySpecification?.DefaultTargetCapacityType).toBe("capacity-block");
    expect(toTemplateInput(templates[0]!).LaunchTemplateData).toMatchObject({
      InstanceMarketOptions: { MarketType: "capacity-block" },
      CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: "cr-0b" } },
    });
  });

  it("carry everything of a template", () => {
    const tags = [{ Key: "cluster", Value: "demo" }];
    expect(toTemplateInput(request.templates[0]!)).toEqual({
      LaunchTemplateName: "timmerman/0a1b",
      LaunchTemplateData: {
        ImageId: images.x86,
        UserData: "TUlNRS1WZXJzaW9uOiAxLjAK",
        SecurityGroupIds: [groups.nodes],
        IamInstanceProfile: { Name: "nodes" },
        BlockDeviceMappings: [
          {
            DeviceName: "/dev/xvda",
            Ebs: {
              VolumeSize: 20,
              VolumeType: "gp3",
              Iops: 3000,
              Throughput: 125,
              Encrypted: true,
              DeleteOnTermination: true,
            },
          },
          { DeviceName: "/dev/xvdb", Ebs: { SnapshotId: "snap-1", KmsKeyId: "key-1", VolumeInitializationRate: 100 } },
        ],
        MetadataOptions: {
          HttpEndpoint: "enabled",
          HttpProtocolIpv6: "disabled",
          HttpPutResponseHopLimit: 1,
          HttpTokens: "required",
        },
        Monitoring: { Enabled: true },
        TagSpecifications: ["instance", "volume", "network-interface"].map((ResourceType) => ({
          ResourceType,
          Tags: tags,
        })),
      },
      TagSpecifications: [{ ResourceType: "launch-template", Tags: tags }],
    });
  });

  it("put groups on the interface when the address is chosen, and name a reservation", () => {
    const { LaunchTemplateData: content } = toTemplateInput({
      ...request.templates[0]!,
      associatePublicIpAddress: false,
      capacityReservationId: "cr-1",
    });
    expect(content?.SecurityGroupIds).toBeUndefined();
    expect(content?.NetworkInterfaces).toEqual([
      { DeviceIndex: 0, AssociatePublicIpAddress: false, Groups: [groups.nodes] },
    ]);
    expect(content?.CapacityReservationSpecification).toEqual({
      CapacityReservationPreference: "capacity-reservations-only",
      CapacityReservationTarget: { CapacityReservationId: "cr-1" },
    });
  });

  it("are the same for tags in any order", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.string({ maxLength: 8 })), (tags) => {
        const reversed = Object.fromEntries(Object.entries(tags).reverse());
        expect(toFleetInput({ ...request, tags: reversed })).toEqual(toFleetInput({ ...request, tags }));
      }),
    );
  });
});

describe("the table of errors", () => {
  it.each([
    ["InsufficientInstanceCapacity", "no-capacity"],
    ["UnfulfillableCapacity", "no-capacity"],
    ["Unsupported", "no-capacity"],
    ["ReservationCapacityExceeded", "no-capacity"],
    ["InsufficientFreeAddressesInSubnet", "no-addresses"],
    ["MaxSpotInstanceCountExceeded", "quota"],
    ["VcpuLimitExceeded", "quota"],
    ["SomethingNewLimitExceeded", "quota"],
    ["TagLimitExceeded", "bad-request"],
    ["RequestLimitExceeded", "throttled"],
    ["Throttling", "throttled"],
    ["UnauthorizedOperation", "unauthorized"],
    ["AuthFailure.ServiceLinkedRoleCreationNotPermitted", "unauthorized"],
    ["ExpiredToken", "unauthorized"],
    ["InvalidParameterValue", "bad-request"],
    ["InvalidAMIID.Malformed", "bad-request"],
    ["MissingParameter", "bad-request"],
    ["UnsupportedOperation", "bad-request"],
    ["IdempotentParameterMismatch", "idempotency-mismatch"],
    ["InvalidInstanceID.NotFound", "not-found"],
    ["InvalidLaunchTemplateName.NotFoundException", "not-found"],
    ["InternalError", "unavailable"],
    ["TimeoutError", "timeout"],
    ["ECONNRESET", "timeout"],
    ["NeverHeardOf", undefined],
  ])("reads %s as %s", (name, expected) => {
    expect(classOfName(name)).toBe(expected);
  });

  it("goes by the status where the name says nothing", () => {
    expect(classOf({ name: "NeverHeardOf", $metadata: { httpStatusCode: 502 } })).toBe("unavailable");
    expect(classOf({ name: "NeverHeardOf", $metadata: { httpStatusCode: 403 } })).toBe("unauthorized");
    expect(classOf({ name: "NeverHeardOf", $metadata: { httpStatusCode: 400 } })).toBe("bad-request");
    expect(classOf(Object.assign(new Error("cut short"), { $response: { statusCode: 200 } }))).toBe("unavailable");
    expect(classOf(Object.assign(new Error("no way"), { code: "ENETUNREACH", errno: -101 }))).toBe("unavailable");
    expect(classOf(Object.assign(new Error("not trusted"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }))).toBe(
      "unavailable",
    );
  });

  it("leaves a programmer's mistake as it is, which no waiting mends", () => {
    // The SDK puts its count of attempts on whatever passes through it.
    const mistake = Object.assign(new TypeError("broken"), { $metadata: { attempts: 1, totalRetryDelay: 0 } });
    expect(classOf(mistake)).toBeUndefined();
    expect(toOperationError(mistake, "launching")).toBe(mistake);
    const misused = Object.assign(new TypeError("not a string"), { code: "ERR_INVALID_ARG_TYPE" });
    expect(toOperationError(misused, "launching")).toBe(misused);
  });

  it("has no code of its own for a quota that isn't a launch's: it has to wait", () => {
    const quota = Object.assign(new Error("too many templates"), { name: "LaunchTemplateLimitExceeded" });
    expect(toOperationError(quota, "launching")).toMatchObject({ code: "unavailable", retry: "later" });
  });

  it("knows when a call can't have worked", () => {
    const refused = Object.assign(new Error("connect"), { name: "Error", code: "ECONNREFUSED" });
    expect(toOperationError(refused, "launching")).toMatchObject({
      code: "unavailable",
      retry: "later",
      outcomeUnknown: false,
    });
    const reset = Object.assign(new Error("socket hang up"), { name: "Error", code: "ECONNRESET" });
    expect(toOperationError(reset, "launching")).toMatchObject({
      code: "timeout",
      retry: "now",
      outcomeUnknown: true,
      cause: reset,
    });
  });
});

describe("the adapter", () => {
  let region: Region;
  beforeEach(async () => {
    region = await openRegion();
  });
  afterEach(() => region.close());

  const connect = (options: Partial<Ec2ClientOptions> = {}): Cloud =>
    createEc2Cloud({
      clock: region.clock,
      client: createEc2Client({
        region: "us-east-1",
        endpoint: region.endpoint,
        credentials: { accessKeyId: "local", secretAccessKey: "local" },
        ...options,
      }),
    });
  const outcomes = (action: string): string[] =>
    region.ec2
      .calls()
      .filter((call) => call.action === action)
      .map((call) => call.outcome);

  it("repeats a lost launch itself, with the same bytes, and gets the same instances", async () => {
    const recorder = await recordBodies(region.ec2);
    const cloud = connect({ endpoint: recorder.endpoint });
    region.ec2.faults.add({ kind: "lost", action: "CreateFleet", times: 1 });
    const result = await cloud.launch(request);
    const again = await cloud.launch(JSON.parse(JSON.stringify(request)) as FleetRequest);
    const fleets = recorder.bodies.filter((body) => body.includes("Action=CreateFleet"));
    await recorder.close();
    expect(fleets).toHaveLength(3);
    expect(new Set(fleets).size).toBe(1);
    expect(again).toEqual(result);
    expect(region.ec2.instances()).toHaveLength(2);
  });

  it("gives up after its attempts", async () => {
    region.ec2.faults.add({ kind: "error-before", action: "DescribeInstances", code: "InternalError" });
    await expect(connect({ maxAttempts: 2 }).findByTags({ a: "b" })).rejects.toMatchObject({
      code: "unavailable",
      retry: "later",
    });
    expect(outcomes("DescribeInstances")).toEqual(["InternalError", "InternalError"]);
  });

  it("gives up on an answer that takes too long, and says that it may have worked", async () => {
    region.ec2.faults.add({ kind: "delay", action: "CreateFleet", delayMs: 400 });
    const cloud = connect({ maxAttempts: 1, attemptTimeoutMs: 100 });
    await expect(cloud.launch(request)).rejects.toMatchObject({ code: "timeout", retry: "now", outcomeUnknown: true });
  });

  it("makes a template once, also when another did, and again when it was deleted", async () => {
    const cloud = connect({ maxAttempts: 1 });
    await cloud.launch(request);
    await cloud.launch({ ...request, clientToken: "launch-2" });
    expect(outcomes("CreateLaunchTemplate")).toEqual(["ok"]);
    await connect({ maxAttempts: 1 }).launch({ ...request, clientToken: "launch-3" });
    expect(outcomes("CreateLaunchTemplate")).toEqual(["ok", "InvalidLaunchTemplateName.AlreadyExistsException"]);
    region.ec2.call("DeleteLaunchTemplate", { LaunchTemplateName: "timmerman/0a1b" });
    expect((await cloud.launch({ ...request, clientToken: "launch-4" })).instances).toHaveLength(2);
    expect(outcomes("CreateLaunchTemplate").at(-1)).toBe("ok");
  });

  it("takes a whole fleet refused for want of capacity for a refusal of every pool", async () => {
    region.ec2.faults.add({
      kind: "error-before",
      action: "CreateFleet",
      code: "InsufficientInstanceCapacity",
      times: 1,
    });
    const { instances, refusals } = await connect({ maxAttempts: 1 }).launch(request);
    expect(instances).toEqual([]);
    expect(refusals.map((r) => [r.kind, r.instanceType, r.zone])).toEqual([
      ["no-capacity", "m5.large", "us-east-1a"],
      ["no-capacity", "c5.large", "us-east-1b"],
    ]);
  });

  it("calls an instance in a reservation reserved, when it is launched and when it is found", async () => {
    await region.close();
    const reserved = [{ id: "cr-0a", instanceType: "m5.large", zone: "us-east-1a", count: 1 }];
    region = await openRegion({ catalog: { ...catalog, reserved } });
    const cloud = connect();
    const result = await cloud.launch({
      ...request,
      capacityType: "reserved",
      allocationStrategy: "lowest-price",
      templates: [{ ...request.templates[0]!, capacityReservationId: "cr-0a" }],
      overrides: [request.overrides[0]!],
    });
    expect(result).toMatchObject({
      instances: [{ capacityType: "reserved" }],
      refusals: [{ kind: "no-capacity", code: "ReservationCapacityExceeded", reservationId: "cr-0a" }],
    });
    expect(await cloud.findByIds([result.instances[0]!.id])).toMatchObject([{ capacityType: "reserved" }]);
  });

  it("refuses a block device that it can't name", async () => {
    const nameless = { ...request.templates[0]!, blockDevices: [{ rootVolume: true, volumeSizeGiB: 20 }] };
    await expect(connect().launch({ ...request, templates: [nameless] })).rejects.toMatchObject({
      code: "bad-request",
      retry: "never",
    });
  });
});
