import { type Kind, text } from "../kind.ts";

// moto 5.2.5 has neither access entries nor Pod Identity associations. Their calls are held against AWS's own model of the
// service and written down, but not sent: the test names them, and so does docs/deploy-test.md.

const accessEntry: Kind = {
  fixed: ["clusterName", "principalArn", "type"],
  tagged: true,
  async create(inputs, { aws, unsent }) {
    const [clusterName, principalArn] = [text(inputs.clusterName), text(inputs.principalArn)];
    await aws("eks", "DescribeCluster", { name: clusterName });
    await unsent("eks", "CreateAccessEntry", {
      clusterName,
      principalArn,
      type: inputs.type,
      kubernetesGroups: inputs.kubernetesGroups,
      tags: inputs.tagsAll,
    });
    return { id: `${clusterName}:${principalArn}`, outputs: { accessEntryArn: "" } };
  },
  async update(_id, { clusterName, principalArn, kubernetesGroups }, _olds, { unsent }) {
    await unsent("eks", "UpdateAccessEntry", { clusterName, principalArn, kubernetesGroups });
    return {};
  },
  async remove(_id, { clusterName, principalArn }, { unsent }) {
    await unsent("eks", "DeleteAccessEntry", { clusterName, principalArn });
  },
};

const podIdentityAssociation: Kind = {
  fixed: ["clusterName", "namespace", "serviceAccount"],
  tagged: true,
  async create(inputs, { aws, unsent }) {
    const { clusterName, namespace, serviceAccount, roleArn } = inputs;
    await aws("eks", "DescribeCluster", { name: clusterName });
    await unsent("eks", "CreatePodIdentityAssociation", {
      clusterName,
      namespace,
      serviceAccount,
      roleArn,
      tags: inputs.tagsAll,
    });
    // The association's id, of which only the first part is documented.
    const associationId = `a-${clusterName}-${namespace}-${serviceAccount}`;
    return { id: associationId, outputs: { associationId } };
  },
  async update(id, { clusterName, roleArn }, _olds, { unsent }) {
    await unsent("eks", "UpdatePodIdentityAssociation", { clusterName, associationId: id, roleArn });
    return {};
  },
  async remove(id, { clusterName }, { unsent }) {
    await unsent("eks", "DeletePodIdentityAssociation", { clusterName, associationId: id });
  },
};

export const eksKinds: Readonly<Record<string, Kind>> = {
  "aws:eks/accessEntry:AccessEntry": accessEntry,
  "aws:eks/podIdentityAssociation:PodIdentityAssociation": podIdentityAssociation,
};
