import { GetObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { OperationError } from "../../ports/index.ts";
import { translate } from "../aws/index.ts";

/** Whole objects of one bucket. Failures are OperationErrors. */
export interface Objects {
  /** Rejects (later) with code `not-found` if there is no such object, or `unauthorized` if S3 would not say. */
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
        throw missing(error, what) ?? translate(error, what);
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

/** Who may not list a bucket, as here, is told of a missing object that access is denied: it may be either. */
function missing(cause: unknown, what: string): OperationError | undefined {
  const { name } = cause as Error;
  if (name === "NoSuchKey") {
    return new OperationError(`${what}: there is no such object`, { retry: "later", code: "not-found", cause });
  }
  if (name !== "AccessDenied") return undefined;
  const message = `${what}: access is denied, or there is no such object`;
  return new OperationError(message, { retry: "later", code: "unauthorized", cause });
}
