import type { Clock, Market } from "../../ports/index.ts";
import type { EndpointOptions } from "../aws/index.ts";

export interface AwsMarketOptions {
  /** EC2 of a region, by the deployment's own credentials. */
  ec2(region: string): EndpointOptions;
  /** The price list's endpoint in a region that has one. */
  pricing(region: string): EndpointOptions;
  readonly clock: Pick<Clock, "now">;
}

/** EC2 and the price list; both clients are loaded when they are used. */
export function createAwsMarket({ ec2, pricing, clock }: AwsMarketOptions): Market {
  return {
    async describe(region) {
      const { createEc2Client, describeMarket } = await import("../ec2/index.ts");
      const client = createEc2Client(ec2(region));
      try {
        return await describeMarket(client, clock);
      } finally {
        client.destroy();
      }
    },
    async listPrices(region) {
      const at = priceListRegionOf(region);
      if (at === undefined) return undefined;
      const { readPriceList } = await import("./price-list.ts");
      return await readPriceList(region, pricing(at));
    },
  };
}

/**
 * The region whose endpoint lists the prices of `region`: the API has few of them, and a partition's prices are listed
 * in that partition only. Undefined where there is none (GovCloud, the isolated partitions, the European sovereign cloud).
 */
export function priceListRegionOf(region: string): string | undefined {
  if (region.startsWith("cn-")) return "cn-northwest-1";
  if (/^(us-gov|us-iso|eu-isoe|eusc)/.test(region)) return undefined;
  if (region.startsWith("ap-")) return "ap-south-1";
  if (region.startsWith("eu-")) return "eu-central-1";
  return "us-east-1";
}
