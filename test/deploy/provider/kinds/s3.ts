import { type Aws, unlessGone, type Values } from "../aws.ts";
import { given, type Kind, list, pascal, text, values } from "../kind.ts";

const bucket: Kind = {
  named: { property: "bucket", maxLength: 63, lower: true },
  fixed: ["bucket"],
  tagged: true,
  async create(inputs, around) {
    const name = text(inputs.bucket);
    await around.aws("s3", "CreateBucket", {
      Bucket: name,
      // The one region that must not be named.
      ...(around.region === "us-east-1" ? {} : { CreateBucketConfiguration: { LocationConstraint: around.region } }),
    });
    return { id: name, outputs: describe(name, around.partition, around.region) };
  },
  async update() {
    return {};
  },
  async remove(id, state, { aws }) {
    if (state.forceDestroy === true) await unlessGone(empty(id, aws));
    await unlessGone(aws("s3", "DeleteBucket", { Bucket: id }));
  },
  async read(id, _state, around) {
    await around.aws("s3", "HeadBucket", { Bucket: id });
    return { ...describe(id, around.partition, around.region), bucket: id };
  },
};

function describe(name: string, partition: string, region: string): Values {
  return {
    arn: `arn:${partition}:s3:::${name}`,
    bucketDomainName: `${name}.s3.amazonaws.com`,
    bucketRegionalDomainName: `${name}.s3.${region}.amazonaws.com`,
    region,
  };
}

async function empty(Bucket: string, aws: Aws): Promise<void> {
  const answer = await aws("s3", "ListObjectVersions", { Bucket });
  const found = [...list(answer.Versions), ...list(answer.DeleteMarkers)];
  const Objects = found.map(({ Key, VersionId }) => ({ Key, VersionId }));
  if (Objects.length > 0) await aws("s3", "DeleteObjects", { Bucket, Delete: { Objects } });
}

/** A setting of a bucket: put as a whole, removed by a call of its own. */
function setting(parameters: (inputs: Values) => Values, put: string, remove: string | undefined): Kind {
  return {
    fixed: ["bucket"],
    async create(inputs, { aws }) {
      const Bucket = text(inputs.bucket);
      await aws("s3", put, { Bucket, ...parameters(inputs) });
      return { id: Bucket };
    },
    async update(id, inputs, _olds, { aws }) {
      await aws("s3", put, { Bucket: id, ...parameters(inputs) });
      return {};
    },
    async remove(id, _state, { aws }) {
      if (remove !== undefined) await unlessGone(aws("s3", remove, { Bucket: id }));
    },
  };
}

/** A rule of a lifecycle; a rule must say what it is for, the whole bucket if nothing else. */
function lifecycleRule(rule: Values): Values {
  const abort = values(rule.abortIncompleteMultipartUpload);
  return given({
    ID: rule.id,
    Status: rule.status,
    Filter: rule.filter === undefined ? { Prefix: "" } : pascal(rule.filter),
    Expiration: pascal(rule.expiration),
    NoncurrentVersionExpiration: pascal(rule.noncurrentVersionExpiration),
    AbortIncompleteMultipartUpload:
      rule.abortIncompleteMultipartUpload === undefined
        ? undefined
        : { DaysAfterInitiation: abort.daysAfterInitiation },
  });
}

function corsRule(rule: Values): Values {
  return given({
    ID: rule.id,
    AllowedHeaders: rule.allowedHeaders,
    AllowedMethods: rule.allowedMethods,
    AllowedOrigins: rule.allowedOrigins,
    ExposeHeaders: rule.exposeHeaders,
    MaxAgeSeconds: rule.maxAgeSeconds,
  });
}

const versioning = setting(
  (inputs) => ({ VersioningConfiguration: given({ Status: values(inputs.versioningConfiguration).status }) }),
  "PutBucketVersioning",
  undefined,
);
const lifecycle = setting(
  (inputs) => ({ LifecycleConfiguration: { Rules: list(inputs.rules).map(lifecycleRule) } }),
  "PutBucketLifecycleConfiguration",
  "DeleteBucketLifecycle",
);
const publicAccessBlock = setting(
  (inputs) => ({
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: inputs.blockPublicAcls ?? false,
      BlockPublicPolicy: inputs.blockPublicPolicy ?? false,
      IgnorePublicAcls: inputs.ignorePublicAcls ?? false,
      RestrictPublicBuckets: inputs.restrictPublicBuckets ?? false,
    },
  }),
  "PutPublicAccessBlock",
  "DeletePublicAccessBlock",
);
const cors = setting(
  (inputs) => ({ CORSConfiguration: { CORSRules: list(inputs.corsRules).map((rule) => corsRule(rule)) } }),
  "PutBucketCors",
  "DeleteBucketCors",
);
const encryption = setting(
  (inputs) => ({
    ServerSideEncryptionConfiguration: {
      Rules: list(inputs.rules).map((rule) =>
        given({
          ApplyServerSideEncryptionByDefault: given({
            SSEAlgorithm: values(rule.applyServerSideEncryptionByDefault).sseAlgorithm,
            KMSMasterKeyID: values(rule.applyServerSideEncryptionByDefault).kmsMasterKeyId,
          }),
          BucketKeyEnabled: rule.bucketKeyEnabled,
        }),
      ),
    },
  }),
  "PutBucketEncryption",
  "DeleteBucketEncryption",
);
const ownership = setting(
  (inputs) => ({ OwnershipControls: { Rules: [{ ObjectOwnership: values(inputs.rule).objectOwnership }] } }),
  "PutBucketOwnershipControls",
  "DeleteBucketOwnershipControls",
);
const bucketPolicy = setting((inputs) => ({ Policy: text(inputs.policy) }), "PutBucketPolicy", "DeleteBucketPolicy");

async function putObject(inputs: Values, aws: Aws): Promise<Values> {
  const source = values(inputs.source);
  const body =
    typeof source.path === "string"
      ? { $file: source.path }
      : { $base64: Buffer.from(String(inputs.content ?? source.text ?? "")).toString("base64") };
  const answer = await aws("s3", "PutObject", {
    Bucket: inputs.bucket,
    Key: inputs.key,
    Body: body,
    ...given({ ContentType: inputs.contentType, CacheControl: inputs.cacheControl }),
  });
  return { etag: String(answer.ETag ?? "").replaceAll('"', ""), versionId: answer.VersionId ?? "" };
}

const bucketObject: Kind = {
  fixed: ["bucket", "key"],
  async create(inputs, { aws }) {
    return { id: text(inputs.key), outputs: await putObject(inputs, aws) };
  },
  async update(_id, inputs, _olds, { aws }) {
    return putObject(inputs, aws);
  },
  async remove(id, state, { aws }) {
    await unlessGone(aws("s3", "DeleteObject", { Bucket: state.bucket, Key: id }));
  },
};

export const s3Kinds: Readonly<Record<string, Kind>> = {
  "aws:s3/bucket:Bucket": bucket,
  "aws:s3/bucketVersioning:BucketVersioning": versioning,
  "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration": lifecycle,
  "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": publicAccessBlock,
  "aws:s3/bucketCorsConfiguration:BucketCorsConfiguration": cors,
  "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration": encryption,
  "aws:s3/bucketOwnershipControls:BucketOwnershipControls": ownership,
  "aws:s3/bucketPolicy:BucketPolicy": bucketPolicy,
  "aws:s3/bucketObjectv2:BucketObjectv2": bucketObject,
};
