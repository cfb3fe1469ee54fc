export { createEc2Client, type Ec2ClientOptions } from "./client.ts";
export { createEc2Cloud, type Ec2CloudOptions } from "./cloud.ts";
