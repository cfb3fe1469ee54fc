// Objects in S3: what is too large for a table and read by many (catalogs). Karpenter has nothing of the kind: it keeps
// such things in its process. The SDK's names for errors end in this room.
export { createS3Client } from "./client.ts";
export { createS3Objects, type Objects } from "./objects.ts";
