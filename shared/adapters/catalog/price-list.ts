// On-demand prices by AWS's Price List API. Answers to Karpenter's pricing provider, and asks as it does: Linux without
// licences, shared tenancy; metal types are listed as dedicated, for nobody shares them.
import { type Filter, PricingClient, paginateGetProducts } from "@aws-sdk/client-pricing";
import type { PriceList } from "../../core/model/index.ts";
import { clientSettings, type EndpointOptions, translate } from "../aws/index.ts";

const bounds = { requestTimeoutMs: 10_000, maxAttempts: 4 };
const pageSize = 100;

/** One query for each row of the table. */
const products = [
  { tenancy: "Shared", productFamily: "Compute Instance" },
  { tenancy: "Dedicated", productFamily: "Compute Instance (bare metal)" },
];

/** All on-demand prices of a region, an hour, in its partition's currency. Rejects with an OperationError. */
export async function readPriceList(region: string, options: EndpointOptions): Promise<PriceList> {
  const client = new PricingClient(clientSettings(options, bounds));
  const prices: Record<string, number> = {};
  try {
    for (const product of products) {
      const query = { ServiceCode: "AmazonEC2", Filters: filtersOf({ ...product, regionCode: region }) };
      for await (const page of paginateGetProducts({ client, pageSize }, query)) {
        for (const text of page.PriceList ?? []) notePrice(prices, String(text));
      }
    }
    return prices;
  } catch (error) {
    throw translate(error, `reading the on-demand prices of ${region}`);
  } finally {
    client.destroy();
  }
}

function filtersOf(fields: Readonly<Record<string, string>>): Filter[] {
  const all = {
    ...fields,
    operatingSystem: "Linux",
    preInstalledSw: "NA",
    capacitystatus: "Used",
    marketoption: "OnDemand",
  };
  return Object.entries(all).map(([Field, Value]) => ({ Type: "TERM_MATCH", Field, Value }));
}

/** The parts of a product's document that are read. */
interface Product {
  readonly product?: { readonly attributes?: { readonly instanceType?: string } };
  readonly terms?: {
    readonly OnDemand?: Readonly<
      Record<
        string,
        {
          readonly priceDimensions?: Readonly<
            Record<string, { readonly unit?: string; readonly pricePerUnit?: Readonly<Record<string, string>> }>
          >;
        }
      >
    >;
  };
}

/** A document lists one product; prices of nothing are those of reserved or discontinued ones, and no price at all. */
function notePrice(prices: Record<string, number>, document: string): void {
  const { product, terms } = JSON.parse(document) as Product;
  const instanceType = product?.attributes?.instanceType;
  if (instanceType === undefined) return;
  for (const term of Object.values(terms?.OnDemand ?? {})) {
    for (const { unit = "Hrs", pricePerUnit } of Object.values(term.priceDimensions ?? {})) {
      const price = Number(pricePerUnit?.USD ?? pricePerUnit?.CNY);
      if (unit === "Hrs" && price > 0) prices[instanceType] = price;
    }
  }
}
