import { describe, expect, it } from "vitest";
import { createMemoryClock } from "../../shared/adapters/memory/clock.ts";
import { createMemoryCloud } from "../../shared/adapters/memory/cloud.ts";
import { createMemoryCluster } from "../../shared/adapters/memory/cluster.ts";
import { createMemoryRegistry } from "../../shared/adapters/memory/registry.ts";
import { createMemoryTelemetry } from "../../shared/adapters/memory/telemetry.ts";
import { OperationError, type Registry } from "../../shared/ports/index.ts";
import { cloudFinder } from "../../shared/runtime/aws-access.ts";
import { fixedSource, registrySource } from "../../shared/runtime/cluster-source.ts";
import { createClusters } from "../../shared/runtime/clusters.ts";
import type { ServedCluster } from "../../shared/runtime/served-clusters.ts";
import { defaultSettings } from "../../shared/runtime/settings.ts";
import { caBundle } from "./environment.ts";

const startMs = 1_760_000_000_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const noMarket = { subnets: [], securityGroups: [], images: [] };

const documentOf = (name: string, more: object = {}) =>
  JSON.stringify({ name, region: "eu-west-1", endpoint: `https://${name}.eks.example`, caBundle, ...more });
const registrationOf = (name: string, more: object = {}) => ({
  name,
  region: "eu-west-1",
  document: documentOf(name, more),
});

function open(registrations: readonly ReturnType<typeof registrationOf>[], bend: Partial<Registry> = {}) {
  const clock = createMemoryClock(startMs);
  const registry = createMemoryRegistry(registrations);
  const telemetry = createMemoryTelemetry();
  const asked: string[] = [];
  const counted: Registry = {
    find: async (name) => {
      asked.push(`find ${name}`);
      return await (bend.find ?? registry.find)(name);
    },
    list: async () => {
      asked.push("list");
      return await registry.list();
    },
  };
  const world: { version: string; uid: string; head: string | undefined } = {
    version: "1.34",
    uid: "uid-1",
    head: "uid-1",
  };
  const clusters = createClusters({
    source: registrySource({ registry: counted, region: "us-east-1", defaults: defaultSettings, clock }),
    clock,
    telemetry,
    cloudOf: () => createMemoryCloud(clock, noMarket),
    headOf: async () => (world.head === undefined ? undefined : { clusterUid: world.head }),
    connect: async ({ name, endpoint }: ServedCluster) => {
      asked.push(`connect ${name} ${endpoint}`);
      return {
        ...createMemoryCluster(clock),
        async readVersion() {
          asked.push("version");
          return world.version;
        },
        async readUid() {
          asked.push("uid");
          return world.uid;
        },
      };
    },
  });
  const take = () => asked.splice(0);
  return { clusters, registry, telemetry, clock, world, take };
}

describe("the clusters of the registry", () => {
  it("are found by name and connected to once, by those who ask at the same time too", async () => {
    const { clusters, take, clock } = open([registrationOf("blue", { settings: { reservedENIs: 1 } })]);
    const [first, second] = await Promise.all([clusters.open("blue"), clusters.open("blue")]);
    expect(second).toBe(first);
    expect(first).toMatchObject({
      name: "blue",
      region: "eu-west-1",
      settings: { clusterName: "blue", reservedEnis: 1 },
      bootstrap: { endpoint: "https://blue.eks.example", kubernetesVersion: "1.34", serviceCidr: "10.100.0.0/16" },
    });
    expect(take()).toEqual(["find blue", "connect blue https://blue.eks.example", "version", "uid"]);
    await clock.advanceTo(clock.now() + 5 * minuteMs - 1);
    expect(await clusters.open("blue")).toBe(first);
    expect(take()).toEqual([]);
  });

  it("are looked at again after five minutes, and connected to again only if something changed", async () => {
    const { clusters, registry, take, clock } = open([registrationOf("blue")]);
    const first = await clusters.open("blue");
    take();
    await clock.advanceTo(clock.now() + 5 * minuteMs);
    expect(await clusters.open("blue")).toBe(first);
    expect(take()).toEqual(["find blue"]);
    registry.put(registrationOf("blue", { endpoint: "https://moved.eks.example" }));
    await clock.advanceTo(clock.now() + 5 * minuteMs);
    expect((await clusters.open("blue")).bootstrap.endpoint).toBe("https://moved.eks.example");
    expect(take()).toEqual(["find blue", "connect blue https://moved.eks.example", "version", "uid"]);
  });

  it("are asked for their version once an hour, so that upgrades are seen", async () => {
    const { clusters, take, clock, world } = open([registrationOf("blue")]);
    const versions: string[] = [];
    for (let at = 0; at < 13; at++) {
      if (at === 6) world.version = "1.35";
      versions.push((await clusters.open("blue")).bootstrap.kubernetesVersion);
      await clock.advanceTo(clock.now() + 5 * minuteMs);
    }
    expect(versions).toEqual([...Array(12).fill("1.34"), "1.35"]);
    const asked = take();
    expect(asked.filter((what) => what === "version")).toHaveLength(2);
    expect(asked.filter((what) => what.startsWith("connect"))).toHaveLength(1);
  });

  it("with a version of their own are not asked for it", async () => {
    const { clusters, take, clock } = open([registrationOf("blue", { kubernetesVersion: "1.33" })]);
    await clusters.open("blue");
    await clock.advanceTo(clock.now() + 2 * hourMs);
    expect((await clusters.open("blue")).bootstrap.kubernetesVersion).toBe("1.33");
    expect(take()).not.toContain("version");
  });

  it("are compared with their records when they are connected to and once an hour, whoever says their version", async () => {
    const { clusters, take, clock } = open([registrationOf("blue", { kubernetesVersion: "1.33" })]);
    for (let at = 0; at < 13; at++) {
      await clusters.open("blue");
      await clock.advanceTo(clock.now() + 5 * minuteMs);
    }
    expect(take().filter((what) => what === "uid")).toHaveLength(2);
  });

  it("are not opened when they are others than their records are about, until that is put right", async () => {
    const { clusters, telemetry, clock, world } = open([registrationOf("blue")]);
    const first = await clusters.open("blue");
    world.uid = "uid-2";
    await clock.advanceTo(clock.now() + hourMs);
    for (let tries = 1; tries <= 2; tries++) {
      await expect(clusters.open("blue")).rejects.toMatchObject({
        code: "foreign-cluster",
        retry: "never",
        message: expect.stringMatching(/uid uid-2, that of the records had uid-1\..*timmerman init/),
      });
      expect(telemetry.counted("timmerman_missing_heads_total", { cluster: "blue" })).toBe(tries);
    }
    world.head = "uid-2";
    expect(await clusters.open("blue")).not.toBe(first);
  });

  it("without a head are opened, and left to those who look for it", async () => {
    const { clusters, take, telemetry, world } = open([registrationOf("blue")]);
    world.head = undefined;
    await clusters.open("blue");
    expect(take()).not.toContain("uid");
    expect(telemetry.counted("timmerman_missing_heads_total")).toBe(0);
  });

  it("that are not there are not found, with what to do about it, until they are registered", async () => {
    const { clusters, registry, clock } = open([registrationOf("blue")]);
    await expect(clusters.open("green")).rejects.toMatchObject({
      code: "not-found",
      retry: "never",
      message: expect.stringContaining("add it to stacks/clusters.ts and deploy"),
    });
    registry.put(registrationOf("green"));
    expect((await clusters.open("green")).name).toBe("green");
    registry.remove("green");
    await clock.advanceTo(clock.now() + 5 * minuteMs);
    await expect(clusters.open("green")).rejects.toMatchObject({ code: "not-found" });
  });

  it("that are wrongly described fail alone, saying which field of which cluster, and without values", async () => {
    const { clusters } = open([
      registrationOf("blue"),
      { name: "broken", region: "eu-west-2", document: '{"name":' },
      registrationOf("other", { name: "else" }),
      registrationOf("wrong", { roleArn: "s3cr3t", settings: { vmMemoryOverheadPercent: 7.5 } }),
    ]);
    const said = async (name: string) => {
      const error = await clusters.open(name).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OperationError);
      expect(error).toMatchObject({ code: "misconfigured", retry: "never" });
      return (error as OperationError).message;
    };
    expect(await said("broken")).toContain("entry 0 must be an object");
    expect(await said("other")).toContain("name is else: it must be other");
    const wrong = await said("wrong");
    expect(wrong).toContain("roleArn is wrong: it must be the ARN of an IAM role");
    expect(wrong).toContain("settings.vmMemoryOverheadPercent must be a fraction from 0 to 1");
    expect(wrong).not.toContain("s3cr3t");
    expect((await clusters.open("blue")).name).toBe("blue");
    expect(await clusters.list()).toMatchObject([
      { name: "blue", region: "eu-west-1" },
      { name: "broken", region: "eu-west-2" },
      { name: "other" },
      { name: "wrong" },
    ]);
  });

  it("that could not be read are read again by the next who asks", async () => {
    let fail = true;
    const { clusters } = open([], {
      find: async () => {
        if (fail) throw new OperationError("throttled", { retry: "later", code: "throttled" });
        return registrationOf("blue");
      },
    });
    await expect(clusters.open("blue")).rejects.toMatchObject({ code: "throttled" });
    fail = false;
    expect((await clusters.open("blue")).name).toBe("blue");
  });

  it("are listed from memory for five minutes, unless the list is to be fresh", async () => {
    const { clusters, registry, take, clock } = open([registrationOf("blue")]);
    await clusters.list();
    registry.put(registrationOf("green"));
    expect((await clusters.list()).map(({ name }) => name)).toEqual(["blue"]);
    expect((await clusters.list({ fresh: true })).map(({ name }) => name)).toEqual(["blue", "green"]);
    expect(take()).toEqual(["list", "list"]);
    await clock.advanceTo(clock.now() + 5 * minuteMs);
    await clusters.list();
    expect(take()).toEqual(["list"]);
  });

  it("tell once of settings that change nothing here", async () => {
    const { clusters, telemetry, clock } = open([
      registrationOf("blue", { settings: { isolatedVPC: true, featureGates: { nodeRepair: true } } }),
    ]);
    await clusters.open("blue");
    await clock.advanceTo(clock.now() + 10 * minuteMs);
    await clusters.open("blue");
    expect(telemetry.lines).toEqual([
      {
        level: "info",
        message: "cluster blue: without effect here, as they configure Karpenter's controller: settings.isolatedVPC",
        fields: { cluster: "blue" },
      },
      {
        level: "info",
        message:
          "cluster blue: without effect here, as they ask for what is not built yet: settings.featureGates.nodeRepair",
        fields: { cluster: "blue" },
      },
    ]);
  });
});

describe("the cloud of an account and region", () => {
  const served = (name: string, region: string, account?: string) =>
    ({
      name,
      region,
      ...(account === undefined ? {} : { roleArn: `arn:aws:iam::${account}:role/timmerman` }),
    }) as ServedCluster;
  const source = fixedSource([
    served("home", "us-east-1"),
    served("theirs", "eu-west-1", "222222222222"),
    { ...served("near", "us-east-1", "222222222222"), roleArn: "arn:aws:iam::222222222222:role/near" },
  ]);
  const found: string[] = [];
  const find = cloudFinder(
    {
      keysOf: () => async () => ({ accessKeyId: "k", secretAccessKey: "s" }),
      cloudOf: (region, roleArn) => {
        found.push(`${region} ${roleArn ?? "own role"}`);
        return createMemoryCloud(createMemoryClock(startMs), noMarket);
      },
    },
    source,
    "us-east-1",
  );

  it.each([
    [{}, "us-east-1 own role"],
    [{ region: "eu-west-1" }, "eu-west-1 own role"],
    [{ account: "111111111111", region: "eu-west-1" }, "eu-west-1 own role"],
    [{ account: "222222222222", region: "eu-west-1" }, "eu-west-1 arn:aws:iam::222222222222:role/timmerman"],
    [{ account: "222222222222", region: "us-east-1" }, "us-east-1 arn:aws:iam::222222222222:role/near"],
    [{ account: "222222222222", region: "us-west-2" }, "us-west-2 arn:aws:iam::222222222222:role/near"],
  ])("%j is %s", async (place, wanted) => {
    found.length = 0;
    await find(place);
    expect(found).toEqual([wanted]);
  });
});
