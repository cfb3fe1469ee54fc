// EC2 behind the Cloud port: the only room that knows the EC2 SDK, its requests and the names of its errors.
export { createEc2Client, type Ec2ClientOptions } from "./client.ts";
export { createEc2Cloud } from "./cloud.ts";
export { describeMarket } from "./describe-market.ts";
