// From their own files: the room's index also has the shipped catalog itself, which bundlers would then load at the start.
import { createAwsMarket } from "../adapters/catalog/market.ts";
import { createCatalogShelf } from "../adapters/catalog/shelf.ts";
import { createShelfSource } from "../adapters/catalog/shelf-source.ts";
import { defaultCatalogSource } from "../adapters/catalog/shipped-source.ts";
import { createCatalogPointers, createDynamoClient } from "../adapters/dynamodb/index.ts";
import type { PriceList } from "../core/model/index.ts";
import {
  type CatalogShelf,
  type CatalogSource,
  type Clock,
  type Market,
  OperationError,
  type Telemetry,
} from "../ports/index.ts";
import { endpointOf } from "./aws-access.ts";
import type { Config } from "./config.ts";

type DynamoClient = ReturnType<typeof createDynamoClient>;

/** Where functions read catalogs: from the bucket if there is one, and where it has none, the shipped one. */
export function catalogSourceOf(
  config: Config,
  given: { readonly client: DynamoClient; readonly clock: Clock; readonly telemetry: Telemetry },
): CatalogSource {
  if (config.catalogBucket === undefined) return defaultCatalogSource;
  const { clock, telemetry } = given;
  return createShelfSource({ shelf: shelfOf(config, given.client), otherwise: defaultCatalogSource, clock, telemetry });
}

/** What refresh-catalog reads from and writes to, with the deployment's own credentials. */
export function catalogPlaces(config: Config, clock: Clock): { readonly market: Market; readonly shelf: CatalogShelf } {
  if (config.catalogBucket === undefined) {
    const message = "TIMMERMAN_CATALOG_BUCKET is not set: set it to the S3 bucket of the catalogs";
    throw new OperationError(message, { retry: "never", code: "bad-request" });
  }
  return {
    market: createAwsMarket({
      ec2: (region) => ({ ...endpointOf(config, "ec2"), region }),
      pricing: (region) => ({ ...endpointOf(config, "pricing"), region }),
      clock,
    }),
    shelf: shelfOf(config, createDynamoClient(endpointOf(config, "dynamodb"))),
  };
}

function shelfOf(config: Config, client: DynamoClient): CatalogShelf {
  const bucket = config.catalogBucket!;
  const load = async () => {
    const { createS3Client, createS3Objects } = await import("../adapters/s3/index.ts");
    return createS3Objects({ client: createS3Client(endpointOf(config, "s3")), bucket });
  };
  let loaded: ReturnType<typeof load> | undefined;
  return createCatalogShelf({
    objects: () => {
      loaded ??= load();
      return loaded;
    },
    pointers: createCatalogPointers({ client, tableName: config.tableName }),
  });
}

/** The region whose prices are shipped. They stand in, as estimates, where a region's own cannot be had. */
const pricedRegion = "us-east-1";

export async function shippedPrices(): Promise<PriceList> {
  return (await defaultCatalogSource.read(pricedRegion)).onDemand;
}
