export const caBundle = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==";

/** The least that a function needs. */
export const environment = {
  AWS_REGION: "us-east-1",
  TIMMERMAN_DEPLOYMENT: "test",
  TIMMERMAN_TABLE: "timmerman",
  TIMMERMAN_QUEUE_PROVISION: "https://sqs.us-east-1.amazonaws.com/123456789012/provision",
  TIMMERMAN_QUEUE_DISRUPT: "https://sqs.us-east-1.amazonaws.com/123456789012/disrupt",
  TIMMERMAN_QUEUE_LIFECYCLE: "https://sqs.us-east-1.amazonaws.com/123456789012/lifecycle",
  TIMMERMAN_QUEUE_RESOLVE_NODE_CLASSES: "https://sqs.us-east-1.amazonaws.com/123456789012/resolve",
  TIMMERMAN_QUEUE_COLLECT_GARBAGE: "https://sqs.us-east-1.amazonaws.com/123456789012/collect",
  TIMMERMAN_CLUSTERS: JSON.stringify([
    { name: "blue", endpoint: "https://blue.eks.example", caBundle, kubernetesVersion: "1.34" },
  ]),
};
