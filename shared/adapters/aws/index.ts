// What the clients of AWS's services have in common: where they are, who asks, how long an answer may take, how they name
// themselves, and what their errors mean. Answers to the session and middleware that Karpenter's operator sets up. EC2 has
// its own table of errors beside its own client settings (../ec2), for its errors are of other kinds.
export { type AssumedRoleOptions, assumedRole } from "./assumed-role.ts";
export { type AwsCredentials, type ClientBounds, clientSettings, type EndpointOptions } from "./client-settings.ts";
export { translate } from "./sdk-error.ts";
