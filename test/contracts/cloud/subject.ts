// What the Cloud suite runs on, and the requests it sends.
import { it } from "vitest";
import type { FleetRequest } from "../../../shared/core/model/index.ts";
import type { Cloud } from "../../../shared/ports/index.ts";

export type Pool = {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: "spot" | "on-demand";
};

/**
 * The world that a subject must hold: region us-east-1 with the zones a, b and c; m5.large, c5.large and m5.xlarge (x86_64)
 * in all of them; a subnet in each zone, those of a and b tagged karpenter.sh/discovery=demo, each with at least 200 free
 * addresses; a security group demo-nodes with that tag; an x86_64 image. Ids are the subject's.
 */
export interface CloudSubject {
  readonly cloud: Cloud;
  readonly subnets: { readonly a: string; readonly b: string; readonly c: string };
  readonly securityGroup: string;
  readonly image: { readonly id: string; readonly name: string };
  /** Capacity that runs out. */
  readonly setFreeCapacity?: (pool: Pool, count: number) => void;
  readonly setFreeAddresses?: (subnetId: string, count: number) => void;
  /** Every further launch of that capacity type meets the vCPU quota. */
  readonly exhaustQuota?: (capacityType: Pool["capacityType"]) => () => void;
  /** Repeated tokens answer without instances from now on. */
  readonly replayWithoutInstances?: () => () => void;
  /** The next call of that method fails so, without having worked. */
  readonly failNext?: (method: "launch" | "findByTags", code: "throttled" | "unauthorized" | "unavailable") => void;
  /** The next launch works, and every attempt's answer is lost. */
  readonly loseNextLaunch?: () => () => void;
  /** Lets time pass until terminated instances are terminated. */
  readonly settle?: () => void;
  close(): Promise<void>;
}

/** What a subject may lack; the tests that need it are then skipped, by name. */
export type Need =
  | "tokens"
  | "replay control"
  | "lost answers"
  | "capacity control"
  | "address control"
  | "quota control"
  | "failure control"
  | "errors for tags of unknown instances";

export class Context {
  readonly #subject: () => CloudSubject;
  readonly #lacks: readonly Need[];
  #serial = 0;

  constructor(subject: () => CloudSubject, lacks: readonly Need[]) {
    this.#subject = subject;
    this.#lacks = lacks;
  }

  subject(): CloudSubject {
    return this.#subject();
  }

  /** A request nobody sent before; its instances carry the tag test=<token>. */
  fresh(change: Partial<FleetRequest> = {}): FleetRequest {
    return freshRequest(this.subject(), ++this.#serial, change);
  }

  async launched(change: Partial<FleetRequest> = {}): Promise<{ request: FleetRequest; ids: string[] }> {
    const request = this.fresh(change);
    const result = await this.subject().cloud.launch(request);
    return { request, ids: result.instances.map((i) => i.id).sort() };
  }

  /** Ids of the instances that a request has got, not terminated. */
  async tagged(request: FleetRequest): Promise<string[]> {
    return (await this.subject().cloud.findByTags({ test: request.clientToken })).map((i) => i.id).sort();
  }

  /** A test for subjects that have what it needs. */
  needs(need: Need, title: string, test: () => Promise<void>): void {
    if (this.#lacks.includes(need)) it.skip(`${title} (skipped: the subject lacks ${need})`, test);
    else it(title, test);
  }

  /** One m5.large override in a zone, for requests that don't want the default one in zone a. */
  override(zone: "a" | "b" | "c", instanceType = "m5.large"): FleetRequest["overrides"][number] {
    const { subnets, image } = this.subject();
    return {
      template: "",
      instanceType,
      zone: `us-east-1${zone}`,
      subnetId: subnets[zone],
      imageId: image.id,
      priceMicroUsd: 96_000,
    };
  }
}

/** Overrides and template of a request, by default one m5.large in zone a on demand. */
export function freshRequest(subject: CloudSubject, serial: number, change: Partial<FleetRequest>): FleetRequest {
  const token = `suite-${serial}`;
  const template = `suite-template-${serial}`;
  const { tags, overrides, ...rest } = change;
  const places = overrides ?? [
    {
      template,
      instanceType: "m5.large",
      zone: "us-east-1a",
      subnetId: subject.subnets.a,
      imageId: subject.image.id,
      priceMicroUsd: 96_000,
    },
  ];
  return {
    clientToken: token,
    count: 1,
    capacityType: "on-demand",
    allocationStrategy: "lowest-price",
    templates: [
      {
        name: template,
        imageId: subject.image.id,
        userData: "#!/bin/sh\necho hello\n",
        securityGroupIds: [subject.securityGroup],
        blockDevices: [
          { deviceName: "/dev/xvda", rootVolume: true, volumeSizeGiB: 20, volumeType: "gp3", encrypted: true },
        ],
        metadataOptions: {
          httpEndpoint: "enabled",
          httpProtocolIPv6: "disabled",
          httpTokens: "required",
          httpPutResponseHopLimit: 1,
        },
        detailedMonitoring: false,
        tags: { "from-template": "yes" },
      },
    ],
    tags: { test: token, launch: "first", ...tags },
    ...rest,
    overrides: places.map((place) => ({ ...place, template })),
  };
}
