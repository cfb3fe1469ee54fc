import { dynoxideAvailable } from "../../../local/aws/dynamodb.ts";
import { startStoreOnDynoxide } from "./dynoxide.ts";
import { runClaimStoreSuite } from "./suite.ts";

runClaimStoreSuite("dynoxide", startStoreOnDynoxide, {
  skipBecause: dynoxideAvailable() ? undefined : "npm serves @dynoxide/linux-x64 for Linux on x64 only",
});
