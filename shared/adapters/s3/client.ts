import { S3Client } from "@aws-sdk/client-s3";
import { clientSettings, type EndpointOptions } from "../aws/index.ts";

const bounds = { requestTimeoutMs: 10_000, maxAttempts: 3 };

/** An endpoint of one's own (an emulator's, say) seldom has a name for each bucket: there the path names it. */
export function createS3Client(options: EndpointOptions): S3Client {
  return new S3Client({ ...clientSettings(options, bounds), forcePathStyle: options.endpoint !== undefined });
}
