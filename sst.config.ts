/// <reference path="./.sst/platform/config.d.ts" />

// The deployment, by SST. What is deployed is in stacks/; what to edit is stacks/clusters.ts; docs/deploy.md explains.
export default $config({
  async app(input) {
    const { deployment } = await import("./stacks/clusters.ts");
    const { isProduction } = await import("./stacks/cluster-spec.ts");
    const { stageTags } = await import("./stacks/names.ts");
    const stage = input?.stage ?? "";
    return {
      name: "timmerman",
      home: "aws",
      removal: isProduction(deployment, stage) ? "retain" : "remove",
      protect: isProduction(deployment, stage),
      providers: {
        aws: {
          region: deployment.region as aws.Region,
          defaultTags: { tags: stageTags(stage) },
        },
      },
    };
  },
  async run() {
    const { deployment, clusters } = await import("./stacks/clusters.ts");
    const { writeEc2Client } = await import("./stacks/ec2-client.ts");
    const { createStacks } = await import("./stacks/main.ts");
    writeEc2Client($cli.paths.root);
    return createStacks({ deployment, clusters });
  },
});
