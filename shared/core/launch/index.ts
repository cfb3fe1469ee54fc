// What to ask of EC2 for claims that need an instance, and what its answers mean. Answers to the launch path of Karpenter's
// AWS provider. It differs on purpose: claims that ask for the same share one request, and the request is plain data that
// is sealed before it is sent, so that a repetition is the same bytes.

export { groupClaims } from "./group.ts";
export { aliasTerms, type FoundImage, imageTerms, resolveAmis } from "./images.ts";
export { chooseOverrides, imageChooser, imageFor, type LaunchSubnet } from "./overrides.ts";
export { type InstancePair, instanceLabels, type LaunchedInstance, pairedLabels, pairInstances } from "./pair.ts";
export { refusedOfferings, summarizeRefusals } from "./refusals.ts";
export { type LaunchInput, type LaunchOutcome, planLaunch } from "./request.ts";
export { sha256Hex } from "./sha256.ts";
export { type LaunchStep, nextLaunchStep } from "./steps.ts";
export { UserDataError, type UserDataInput, userDataFor } from "./user-data/index.ts";
