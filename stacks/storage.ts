// The one table and the one bucket. What stands in them is drawn in shared/adapters/dynamodb; a test holds the two together.

/**
 * Catalogs are written under a new name when they change, hourly at most; who reads an old one has its name for minutes.
 * The newest goes too when refresh-catalog failed for this long, and with it all planning of its region: a month leaves time
 * for somebody to heed the alarm, for cents of storage.
 */
const catalogLifeDays = 30;

export interface Storage {
  readonly table: sst.aws.Dynamo;
  readonly bucket: sst.aws.Bucket;
}

/** `isKept`: the table cannot be deleted, nor a bucket that is not empty. */
export function createStorage(isKept: boolean): Storage {
  const table = new sst.aws.Dynamo("Table", {
    fields: { pk: "string", sk: "string", dueShard: "string", dueAtMs: "number" },
    primaryIndex: { hashKey: "pk", rangeKey: "sk" },
    globalIndexes: { due: { hashKey: "dueShard", rangeKey: "dueAtMs", projection: "keys-only" } },
    ttl: "expiresAt",
    deletionProtection: isKept,
    transform: {
      table: {
        // Said although it is SST's default: records of instances that cost money are not to be lost.
        pointInTimeRecovery: { enabled: true },
        // Encryption at rest with DynamoDB's own key, which costs nothing and needs no grants.
        billingMode: "PAY_PER_REQUEST",
      },
    },
  });
  const bucket = new sst.aws.Bucket("Store", {
    // TLS only; no public access, which is SST's default.
    enforceHttps: true,
    cors: false,
    lifecycle: [{ id: "old-catalogs", prefix: "catalog/", expiresIn: `${catalogLifeDays} days` }],
    transform: { bucket: { forceDestroy: !isKept } },
  });
  new aws.s3.BucketServerSideEncryptionConfiguration("StoreEncryption", {
    bucket: bucket.name,
    rules: [{ applyServerSideEncryptionByDefault: { sseAlgorithm: "AES256" }, bucketKeyEnabled: true }],
  });
  new aws.s3.BucketOwnershipControls("StoreOwnership", {
    bucket: bucket.name,
    rule: { objectOwnership: "BucketOwnerEnforced" },
  });
  return { table, bucket };
}
