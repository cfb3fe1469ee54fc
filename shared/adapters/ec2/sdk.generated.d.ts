// Made by `npm run ec2:sdk` (build-sdk.ts) from @aws-sdk/client-ec2 3.1169.0 (Apache-2.0, Copyright Amazon.com, Inc.).
export type * from "@aws-sdk/client-ec2";
export {
  CreateFleetCommand,
  CreateLaunchTemplateCommand,
  CreateTagsCommand,
  DescribeAvailabilityZonesCommand,
  EC2Client,
  paginateDescribeImages,
  paginateDescribeInstances,
  paginateDescribeInstanceTypeOfferings,
  paginateDescribeInstanceTypes,
  paginateDescribeSecurityGroups,
  paginateDescribeSpotPriceHistory,
  paginateDescribeSubnets,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
