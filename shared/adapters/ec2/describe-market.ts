// What a region sells: types, where they are offered, zones, spot prices. All pages, or an error: half of a list would
// look like a smaller region. Answers to the queries of Karpenter's instance type and pricing providers.

import {
  DescribeAvailabilityZonesCommand,
  type EC2Client,
  paginateDescribeInstanceTypeOfferings,
  paginateDescribeInstanceTypes,
  paginateDescribeSpotPriceHistory,
} from "@aws-sdk/client-ec2";
import type { InstanceTypeDescription, MarketReading, SpotQuote } from "../../core/model/index.ts";
import type { Clock } from "../../ports/index.ts";
import { toOperationError } from "./classify.ts";

/** The most that EC2 gives in one answer. */
const pageSize = { types: 100, offerings: 1000, spot: 1000 };

/** Where nodes can be: not in Wavelength zones, which have networks of their own kind. */
const zoneTypes = ["availability-zone", "local-zone"];

/** Those that an AMI family has; not Mac's, nor 32 bits alone. */
const architectures = ["x86_64", "arm64"];

/** EC2-Classic's price is of the first name, a VPC's of the second; both are one today. */
const spotProducts = ["Linux/UNIX", "Linux/UNIX (Amazon VPC)"];

/** Zones, types, offerings and the spot prices that hold now. Rejects with an OperationError if any page failed. */
export async function describeMarket(client: EC2Client, clock: Pick<Clock, "now">): Promise<MarketReading> {
  try {
    return {
      zones: await describeZones(client),
      instanceTypes: await describeTypes(client),
      offerings: await describeOfferings(client),
      spotPrices: await describeSpotPrices(client, clock.now()),
    };
  } catch (error) {
    throw toOperationError(error, "reading what the region sells");
  }
}

async function describeZones(client: EC2Client): Promise<MarketReading["zones"]> {
  const { AvailabilityZones: zones = [] } = await client.send(
    new DescribeAvailabilityZonesCommand({ Filters: [{ Name: "zone-type", Values: zoneTypes }] }),
  );
  return zones.flatMap(({ ZoneName: name, ZoneId: id, State: state }) =>
    name === undefined || id === undefined || (state !== undefined && state !== "available") ? [] : [{ name, id }],
  );
}

async function describeTypes(client: EC2Client): Promise<readonly InstanceTypeDescription[]> {
  const found: InstanceTypeDescription[] = [];
  const filters = [{ Name: "processor-info.supported-architecture", Values: architectures }];
  const pages = paginateDescribeInstanceTypes({ client, pageSize: pageSize.types }, { Filters: filters });
  for await (const { InstanceTypes: types = [] } of pages) {
    for (const type of types) {
      if (type.InstanceType !== undefined) found.push({ ...type, InstanceType: type.InstanceType });
    }
  }
  return found;
}

async function describeOfferings(client: EC2Client): Promise<MarketReading["offerings"]> {
  const found: { instanceType: string; zone: string }[] = [];
  const pages = paginateDescribeInstanceTypeOfferings(
    { client, pageSize: pageSize.offerings },
    { LocationType: "availability-zone" },
  );
  for await (const { InstanceTypeOfferings: offerings = [] } of pages) {
    for (const { InstanceType: instanceType, Location: zone } of offerings) {
      if (instanceType !== undefined && zone !== undefined) found.push({ instanceType, zone });
    }
  }
  return found;
}

/** From now on: EC2 then answers with the price of each type and zone that holds now. */
async function describeSpotPrices(client: EC2Client, nowMs: number): Promise<readonly SpotQuote[]> {
  const found: SpotQuote[] = [];
  const pages = paginateDescribeSpotPriceHistory(
    { client, pageSize: pageSize.spot },
    { StartTime: new Date(nowMs), ProductDescriptions: spotProducts },
  );
  for await (const { SpotPriceHistory: quotes = [] } of pages) {
    for (const { InstanceType: instanceType, AvailabilityZone: zone, SpotPrice: text, Timestamp: at } of quotes) {
      const price = Number(text);
      if (instanceType === undefined || zone === undefined || !(price > 0)) continue;
      found.push({ instanceType, zone, price, atMs: at?.getTime() ?? 0 });
    }
  }
  return found;
}
