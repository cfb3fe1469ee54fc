import { GetObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { OperationError } from "../../ports/index.ts";
import { translate } from "../aws/index.ts";

/** Whole objects of one bucket. Failures are OperationErrors. */
export interface Objects {
  /** Rejects with code `not-found` (later) if there is no such object. */
  get(key: string): Promise<Uint8Array>;
  put(key: string, bytes: Uint8Array, about: { readonly type: string; readonly encoding?: string }): Promise<void>;
}

export function createS3Objects({ client, bucket }: { client: S3Client; bucket: string }): Objects {
  return {
    async get(key) {
      const what = `reading s3://${bucket}/${key}`;
      try {
        const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return (await body?.transformToByteArray()) ?? new Uint8Array();
      } catch (error) {
        throw isMissing(error) ? missing(what, error) : translate(error, what);
      }
    },
    async put(key, bytes, { type, encoding }) {
      const request = { Bucket: bucket, Key: key, Body: bytes, ContentType: type };
      await client
        .send(new PutObjectCommand(encoding === undefined ? request : { ...request, ContentEncoding: encoding }))
        .catch((error: unknown) => {
          throw translate(error, `writing s3://${bucket}/${key}`);
        });
    },
  };
}

/** Without the right to list the bucket, S3 says of a missing object that access is denied: that stays a refusal. */
function isMissing(error: unknown): boolean {
  return (error as Error).name === "NoSuchKey";
}

function missing(what: string, cause: unknown): OperationError {
  return new OperationError(`${what}: there is no such object`, { retry: "later", code: "not-found", cause });
}
