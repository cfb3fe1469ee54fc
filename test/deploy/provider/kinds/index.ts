// Every resource type and data source that the provider stand-in knows. Anything else is an error that names it.
import type { DataSource, Kind } from "../kind.ts";
import { cloudwatchKinds } from "./cloudwatch.ts";
import { dynamodbKinds } from "./dynamodb.ts";
import { eksKinds } from "./eks.ts";
import { eventsKinds } from "./events.ts";
import { iamKinds } from "./iam.ts";
import { lambdaKinds } from "./lambda.ts";
import { randomKinds } from "./random.ts";
import { s3Kinds } from "./s3.ts";
import { sources } from "./sources.ts";
import { sqsKinds } from "./sqs.ts";

export const kinds: Readonly<Record<string, Kind>> = {
  ...cloudwatchKinds,
  ...dynamodbKinds,
  ...eksKinds,
  ...eventsKinds,
  ...iamKinds,
  ...lambdaKinds,
  ...randomKinds,
  ...s3Kinds,
  ...sqsKinds,
};

export const dataSources: Readonly<Record<string, DataSource>> = sources;
