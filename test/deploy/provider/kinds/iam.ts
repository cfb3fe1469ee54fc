import { unlessGone, type Values } from "../aws.ts";
import { given, type Kind, list, type Surroundings, tagList, text, values } from "../kind.ts";

const role: Kind = {
  named: { property: "name", maxLength: 64 },
  fixed: ["name", "path"],
  tagged: true,
  async create(inputs, around) {
    const name = text(inputs.name);
    const created = await around.aws("iam", "CreateRole", {
      RoleName: name,
      AssumeRolePolicyDocument: text(inputs.assumeRolePolicy),
      Tags: tagList(inputs.tagsAll),
      ...given({
        Path: inputs.path,
        Description: inputs.description,
        MaxSessionDuration: inputs.maxSessionDuration,
        PermissionsBoundary: inputs.permissionsBoundary,
      }),
    });
    await policies(name, inputs, {}, around);
    const { Arn, RoleId } = values(created.Role);
    return { id: name, outputs: { arn: Arn, uniqueId: RoleId } };
  },
  async update(id, inputs, olds, around) {
    await around.aws("iam", "UpdateAssumeRolePolicy", {
      RoleName: id,
      PolicyDocument: text(inputs.assumeRolePolicy),
    });
    await policies(id, inputs, olds, around);
    return {};
  },
  async remove(id, _state, { aws }) {
    const inline = await aws("iam", "ListRolePolicies", { RoleName: id });
    for (const PolicyName of inline.PolicyNames as string[]) {
      await unlessGone(aws("iam", "DeleteRolePolicy", { RoleName: id, PolicyName }));
    }
    const attached = await aws("iam", "ListAttachedRolePolicies", { RoleName: id });
    for (const { PolicyArn } of list(attached.AttachedPolicies)) {
      await unlessGone(aws("iam", "DetachRolePolicy", { RoleName: id, PolicyArn }));
    }
    await unlessGone(aws("iam", "DeleteRole", { RoleName: id }));
  },
  async read(id, _state, { aws }) {
    const { Role } = await aws("iam", "GetRole", { RoleName: id });
    return { arn: values(Role).Arn, name: id, uniqueId: values(Role).RoleId };
  },
};

/** Makes the role's inline and managed policies what the inputs say, knowing what they said before. */
async function policies(name: string, inputs: Values, olds: Values, { aws }: Surroundings): Promise<void> {
  const inline = list(inputs.inlinePolicies);
  for (const one of inline) {
    await aws("iam", "PutRolePolicy", { RoleName: name, PolicyName: one.name, PolicyDocument: one.policy });
  }
  for (const { name: PolicyName } of list(olds.inlinePolicies)) {
    if (inline.some((one) => one.name === PolicyName)) continue;
    await unlessGone(aws("iam", "DeleteRolePolicy", { RoleName: name, PolicyName }));
  }
  const managed = (inputs.managedPolicyArns ?? []) as string[];
  const before = (olds.managedPolicyArns ?? []) as string[];
  for (const PolicyArn of managed.filter((arn) => !before.includes(arn))) {
    await aws("iam", "AttachRolePolicy", { RoleName: name, PolicyArn });
  }
  for (const PolicyArn of before.filter((arn) => !managed.includes(arn))) {
    await unlessGone(aws("iam", "DetachRolePolicy", { RoleName: name, PolicyArn }));
  }
}

const rolePolicy: Kind = {
  named: { property: "name", maxLength: 128 },
  fixed: ["name", "role"],
  async create(inputs, { aws }) {
    const [RoleName, PolicyName] = [text(inputs.role), text(inputs.name)];
    await aws("iam", "PutRolePolicy", { RoleName, PolicyName, PolicyDocument: text(inputs.policy) });
    return { id: `${RoleName}:${PolicyName}` };
  },
  async update(_id, { role: RoleName, name: PolicyName, policy }, _olds, { aws }) {
    await aws("iam", "PutRolePolicy", { RoleName, PolicyName, PolicyDocument: text(policy) });
    return {};
  },
  async remove(_id, { role: RoleName, name: PolicyName }, { aws }) {
    await unlessGone(aws("iam", "DeleteRolePolicy", { RoleName, PolicyName }));
  },
};

const rolePolicyAttachment: Kind = {
  fixed: ["role", "policyArn"],
  async create({ role: RoleName, policyArn: PolicyArn }, { aws }) {
    await aws("iam", "AttachRolePolicy", { RoleName, PolicyArn });
    return { id: `${RoleName}/${PolicyArn}` };
  },
  async remove(_id, { role: RoleName, policyArn: PolicyArn }, { aws }) {
    await unlessGone(aws("iam", "DetachRolePolicy", { RoleName, PolicyArn }));
  },
};

const policy: Kind = {
  named: { property: "name", maxLength: 128 },
  fixed: ["name", "path", "description"],
  tagged: true,
  async create(inputs, { aws }) {
    const created = await aws("iam", "CreatePolicy", {
      PolicyName: text(inputs.name),
      PolicyDocument: text(inputs.policy),
      Tags: tagList(inputs.tagsAll),
      ...given({ Path: inputs.path, Description: inputs.description }),
    });
    const arn = text(values(created.Policy).Arn);
    return { id: arn, outputs: { arn } };
  },
  async update(id, inputs, _olds, { aws }) {
    await aws("iam", "CreatePolicyVersion", {
      PolicyArn: id,
      PolicyDocument: text(inputs.policy),
      SetAsDefault: true,
    });
    return {};
  },
  async remove(id, _state, { aws }) {
    const { Versions } = await aws("iam", "ListPolicyVersions", { PolicyArn: id });
    for (const { VersionId, IsDefaultVersion } of list(Versions)) {
      if (IsDefaultVersion !== true) await aws("iam", "DeletePolicyVersion", { PolicyArn: id, VersionId });
    }
    await unlessGone(aws("iam", "DeletePolicy", { PolicyArn: id }));
  },
};

const instanceProfile: Kind = {
  named: { property: "name", maxLength: 128 },
  fixed: ["name", "path"],
  tagged: true,
  async create(inputs, { aws }) {
    const InstanceProfileName = text(inputs.name);
    const created = await aws("iam", "CreateInstanceProfile", {
      InstanceProfileName,
      Tags: tagList(inputs.tagsAll),
      ...given({ Path: inputs.path }),
    });
    if (inputs.role !== undefined) {
      await aws("iam", "AddRoleToInstanceProfile", { InstanceProfileName, RoleName: inputs.role });
    }
    return { id: InstanceProfileName, outputs: { arn: values(created.InstanceProfile).Arn } };
  },
  async update(id, inputs, olds, { aws }) {
    if (inputs.role === olds.role) return {};
    const of = { InstanceProfileName: id };
    if (olds.role !== undefined) await aws("iam", "RemoveRoleFromInstanceProfile", { ...of, RoleName: olds.role });
    if (inputs.role !== undefined) await aws("iam", "AddRoleToInstanceProfile", { ...of, RoleName: inputs.role });
    return {};
  },
  async remove(id, { role: RoleName }, { aws }) {
    const InstanceProfileName = id;
    if (RoleName !== undefined) {
      await unlessGone(aws("iam", "RemoveRoleFromInstanceProfile", { InstanceProfileName, RoleName }));
    }
    await unlessGone(aws("iam", "DeleteInstanceProfile", { InstanceProfileName }));
  },
};

export const iamKinds: Readonly<Record<string, Kind>> = {
  "aws:iam/role:Role": role,
  "aws:iam/rolePolicy:RolePolicy": rolePolicy,
  "aws:iam/rolePolicyAttachment:RolePolicyAttachment": rolePolicyAttachment,
  "aws:iam/instanceProfile:InstanceProfile": instanceProfile,
  "aws:iam/policy:Policy": policy,
};
