import { boolean, type Infer, integer, list, map, object, oneOf, rule, string, withDefault } from "../schema/build.ts";
import { ageColumn, type CustomResource, readyColumn } from "./custom-resource.ts";
import { kubelet } from "./ec2-node-class-kubelet.ts";
import {
  amiSelectorTerms,
  capacityReservationSelectorTerms,
  connectionTracking,
  networkInterfaces,
  placementGroupSelector,
  securityGroupSelectorTerms,
  subnetSelectorTerms,
} from "./ec2-node-class-selectors.ts";
import { ec2NodeClassStatus } from "./ec2-node-class-status.ts";

const ebs = object(
  "The volume.",
  {
    optional: {
      deleteOnTermination: boolean("Whether the volume goes with the instance."),
      encrypted: boolean("Whether the volume is encrypted."),
      iops: integer("I/O operations a second, for the types that can be told: io1, io2 and gp3.", { format: "int64" }),
      kmsKeyID: string("Key that encrypts the volume: its id, alias or ARN."),
      snapshotID: string("Snapshot that the volume is made from."),
      throughput: integer("Throughput in MiB a second; gp3 only.", { format: "int64" }),
      volumeInitializationRate: integer("How fast the snapshot is fetched, in MiB a second.", {
        format: "int32",
        minimum: 100,
        maximum: 300,
      }),
      volumeSize: string("Size of the volume, in Gi, G, Ti or T. Left out, it is the snapshot's.", {
        pattern:
          "^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G|([1-9]||[1-5][0-7]|58)Ti|([1-9]||[1-5][0-9]|6[0-3]|64)T)$",
      }),
      volumeType: oneOf("Kind of the volume.", ["standard", "io1", "io2", "gp2", "sc1", "st1", "gp3"]),
    },
  },
  {
    rules: [
      rule(
        "has(self.snapshotID) || has(self.volumeSize)",
        "ebs has no size; set volumeSize, or snapshotID to take the snapshot's",
      ),
      rule(
        "!has(self.volumeInitializationRate) || (has(self.snapshotID) && self.snapshotID != '')",
        "ebs.volumeInitializationRate is about fetching a snapshot; set snapshotID or remove the rate",
      ),
    ],
  },
);

const blockDeviceMappings = list(
  "The volumes that instances start with. Left out, they are what the image's family is used to.",
  object("", {
    optional: {
      deviceName: string("Name of the device, such as /dev/xvda."),
      ebs,
      rootVolume: boolean(
        "Whether this volume is the one that pods and images live on, so that its size counts as the node's ephemeral storage.",
      ),
    },
  }),
  {
    maxItems: 50,
    rules: [
      rule(
        "self.filter(x, has(x.rootVolume)?x.rootVolume==true:false).size() <= 1",
        "blockDeviceMappings has several with rootVolume; leave it on one",
      ),
    ],
  },
);

const metadataOptions = object(
  "How instances reach the instance metadata service.",
  {
    defaulted: {
      httpEndpoint: withDefault(
        oneOf("Whether the service can be reached at all.", ["enabled", "disabled"]),
        "enabled",
      ),
      httpProtocolIPv6: withDefault(oneOf("Whether it can be reached over IPv6.", ["enabled", "disabled"]), "disabled"),
      httpPutResponseHopLimit: withDefault(
        integer(
          "How many network hops its answers may take: with 1, pods that don't use the host's network get none.",
          {
            format: "int64",
            minimum: 1,
            maximum: 64,
          },
        ),
        1,
      ),
      httpTokens: withDefault(
        oneOf("Whether a session token must be shown (IMDSv2) or may be left out.", ["required", "optional"]),
        "required",
      ),
    },
  },
  {
    default: {
      httpEndpoint: "enabled",
      httpProtocolIPv6: "disabled",
      httpPutResponseHopLimit: 1,
      httpTokens: "required",
    },
  },
);

const reservedTag = (test: string, key: string) =>
  rule(`self.all(k, ${test})`, `tags has ${key}, which is set for you; remove it`);

const tags = map(
  "Tags that instances, volumes and launch templates get, besides those that are always set.",
  string(""),
  {
    rules: [
      rule("self.all(k, k != '')", "tags has an empty key; name it or remove it"),
      reservedTag("k !='eks:eks-cluster-name'", "eks:eks-cluster-name"),
      reservedTag("!k.startsWith('kubernetes.io/cluster') ", "a key that begins with kubernetes.io/cluster"),
      reservedTag("k != 'karpenter.sh/nodepool'", "karpenter.sh/nodepool"),
      reservedTag("k !='karpenter.sh/nodeclaim'", "karpenter.sh/nodeclaim"),
      reservedTag("k !='karpenter.k8s.aws/ec2nodeclass'", "karpenter.k8s.aws/ec2nodeclass"),
    ],
  },
);

/** A family's name in aliases is its own in lower case. */
const familyFitsAlias = (family: string) =>
  rule(
    `!has(self.amiFamily) || (self.amiSelectorTerms.exists(x, has(x.alias) && x.alias.find('^[^@]+') == '${family.toLowerCase()}') ? (self.amiFamily == 'Custom' || self.amiFamily == '${family}') : true)`,
    `spec.amiFamily doesn't fit the ${family.toLowerCase()} alias in spec.amiSelectorTerms; set it to ${family} or Custom, or remove it`,
  );

const notEmpty = (field: string) => rule("self != ''", `spec.${field} is empty; name it or remove it`);

const spec = object(
  "What instances look like.",
  {
    required: { amiSelectorTerms, securityGroupSelectorTerms, subnetSelectorTerms },
    defaulted: { metadataOptions },
    optional: {
      amiFamily: oneOf(
        "Family of the images: how user data is written and what nodes set aside for themselves. Left out, it is the alias's.",
        ["AL2", "AL2023", "Bottlerocket", "Custom", "Windows2019", "Windows2022", "Windows2025"],
      ),
      associatePublicIPAddress: boolean("Whether instances get a public IPv4 address. Left out, the subnet decides."),
      blockDeviceMappings,
      capacityReservationSelectorTerms,
      connectionTracking,
      context: string("Passed on to EC2's fleet requests as it is; EC2 keeps it for its own use."),
      cpuOptions: object("Options of the instances' processors.", {
        optional: {
          nestedVirtualization: oneOf("Whether virtual machines can run in the instance.", ["enabled", "disabled"]),
        },
      }),
      detailedMonitoring: boolean("Whether instances send metrics every minute instead of every five."),
      instanceProfile: string("Instance profile that instances have; instead of `role`.", {
        rules: [notEmpty("instanceProfile")],
      }),
      instanceStorePolicy: oneOf("RAID0 joins the instance's own disks into one that pods and images live on.", [
        "RAID0",
      ]),
      ipPrefixCount: integer("How many IPv4 prefixes the primary interface gets.", { format: "int32", minimum: 0 }),
      kubelet,
      networkInterfaces,
      placementGroupSelector,
      role: string("IAM role of the nodes; an instance profile is made for it. Instead of `instanceProfile`.", {
        rules: [notEmpty("role")],
      }),
      tags,
      userData: string("Added to the user data that joins the node to the cluster; for Custom it is all there is."),
    },
  },
  {
    rules: [
      rule(
        "(has(self.role) && !has(self.instanceProfile)) || (!has(self.role) && has(self.instanceProfile))",
        "exactly one of spec.role and spec.instanceProfile must be set",
      ),
      ...["AL2", "AL2023", "Bottlerocket", "Windows2019", "Windows2022", "Windows2025"].map(familyFitsAlias),
      rule(
        "self.amiSelectorTerms.exists(x, has(x.alias)) ? true : has(self.amiFamily)",
        "spec.amiFamily is missing and no alias in spec.amiSelectorTerms says it; set it, or select by alias",
      ),
    ],
  },
);

export type EC2NodeClassSpec = Infer<typeof spec>;
export type EC2NodeClassStatus = Infer<typeof ec2NodeClassStatus>;

export const ec2NodeClassKind: CustomResource<EC2NodeClassSpec, EC2NodeClassStatus> = {
  group: "karpenter.k8s.aws",
  version: "v1",
  kind: "EC2NodeClass",
  plural: "ec2nodeclasses",
  shortNames: ["ec2nc", "ec2ncs"],
  categories: ["karpenter"],
  scope: "Cluster",
  description: "An EC2NodeClass says what EC2 instances look like: their image, network, identity, disks and kubelet.",
  spec,
  specRequired: false,
  status: ec2NodeClassStatus,
  columns: [readyColumn, ageColumn, { name: "Role", type: "string", jsonPath: ".spec.role", wide: true }],
};
