import { dynoxideAvailable } from "../../local/aws/dynamodb.ts";
import { runSlice } from "./slice.ts";
import { sliceWorld } from "./slice-world.ts";

runSlice("a real control plane", sliceWorld, dynoxideAvailable() ? undefined : "DynamoDB's emulator is not installed");
