import { unlessGone, type Values } from "../aws.ts";
import { given, type Kind, list, type Surroundings, tagList, text, values } from "../kind.ts";

const table: Kind = {
  named: { property: "name", maxLength: 255 },
  fixed: ["name", "hashKey", "rangeKey"],
  tagged: true,
  async create(inputs, around) {
    const name = text(inputs.name);
    const created = await around.aws("dynamodb", "CreateTable", {
      TableName: name,
      AttributeDefinitions: attributes(inputs),
      KeySchema: keys(inputs),
      BillingMode: inputs.billingMode ?? "PROVISIONED",
      Tags: tagList(inputs.tagsAll),
      ...given({
        GlobalSecondaryIndexes: indexes(inputs),
        DeletionProtectionEnabled: inputs.deletionProtectionEnabled,
        StreamSpecification:
          inputs.streamEnabled === true ? { StreamEnabled: true, StreamViewType: inputs.streamViewType } : undefined,
      }),
    });
    await settings(inputs, {}, around);
    const description = values(created.TableDescription);
    return {
      id: name,
      outputs: { arn: description.TableArn, streamArn: description.LatestStreamArn ?? "", tagsAll: inputs.tagsAll },
    };
  },
  async update(id, inputs, olds, around) {
    if (JSON.stringify(list(inputs.globalSecondaryIndexes)) !== JSON.stringify(list(olds.globalSecondaryIndexes))) {
      throw new Error(`${id}: the stand-in does not change a table's indexes`);
    }
    await around.aws("dynamodb", "UpdateTable", {
      TableName: id,
      ...given({
        DeletionProtectionEnabled: inputs.deletionProtectionEnabled ?? false,
        BillingMode: inputs.billingMode,
      }),
    });
    await settings(inputs, olds, around);
    return {};
  },
  async remove(id, _state, around) {
    await unlessGone(around.aws("dynamodb", "DeleteTable", { TableName: id }));
  },
  async read(id, _state, around) {
    const { Table } = await around.aws("dynamodb", "DescribeTable", { TableName: id });
    return { arn: values(Table).TableArn, name: id };
  },
};

function attributes(inputs: Values): Values[] {
  return list(inputs.attributes).map((one) => ({ AttributeName: one.name, AttributeType: one.type }));
}

function keys(inputs: Values): Values[] {
  return [
    { AttributeName: inputs.hashKey, KeyType: "HASH" },
    ...(inputs.rangeKey === undefined ? [] : [{ AttributeName: inputs.rangeKey, KeyType: "RANGE" }]),
  ];
}

function indexes(inputs: Values): Values[] | undefined {
  const found = list(inputs.globalSecondaryIndexes);
  if (found.length === 0) return undefined;
  return found.map((one) => ({
    IndexName: one.name,
    KeySchema: keys(one),
    Projection: given({ ProjectionType: one.projectionType, NonKeyAttributes: one.nonKeyAttributes }),
  }));
}

/** What has calls of its own: expiry and point-in-time recovery. Expiry cannot be switched on twice. */
async function settings(inputs: Values, olds: Values, { aws }: Surroundings): Promise<void> {
  const TableName = text(inputs.name);
  const ttl = values(inputs.ttl);
  if (ttl.attributeName !== undefined && values(olds.ttl).attributeName !== ttl.attributeName) {
    await aws("dynamodb", "UpdateTimeToLive", {
      TableName,
      TimeToLiveSpecification: { AttributeName: ttl.attributeName, Enabled: ttl.enabled ?? true },
    });
  }
  const recovery = values(inputs.pointInTimeRecovery);
  if (recovery.enabled !== undefined) {
    await aws("dynamodb", "UpdateContinuousBackups", {
      TableName,
      PointInTimeRecoverySpecification: given({
        PointInTimeRecoveryEnabled: recovery.enabled,
        RecoveryPeriodInDays: recovery.recoveryPeriodInDays,
      }),
    });
  }
}

const tableItem: Kind = {
  fixed: ["tableName", "hashKey", "rangeKey"],
  async create(inputs, around) {
    const item = parse(inputs);
    await around.aws("dynamodb", "PutItem", {
      TableName: inputs.tableName,
      Item: item,
      ConditionExpression: "attribute_not_exists(#hash)",
      ExpressionAttributeNames: { "#hash": inputs.hashKey },
    });
    return {
      id: [inputs.tableName, ...Object.values(keyOf(inputs)).map((one) => Object.values(values(one))[0])].join("|"),
    };
  },
  async update(_id, inputs, _olds, around) {
    await around.aws("dynamodb", "PutItem", { TableName: inputs.tableName, Item: parse(inputs) });
    return {};
  },
  async remove(_id, state, around) {
    await unlessGone(around.aws("dynamodb", "DeleteItem", { TableName: state.tableName, Key: keyOf(state) }));
  },
};

function parse(inputs: Values): Values {
  return values(JSON.parse(text(inputs.item)));
}

function keyOf(inputs: Values): Values {
  const item = parse(inputs);
  const names = [inputs.hashKey, inputs.rangeKey].filter((name) => typeof name === "string");
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}

export const dynamodbKinds: Readonly<Record<string, Kind>> = {
  "aws:dynamodb/table:Table": table,
  "aws:dynamodb/tableItem:TableItem": tableItem,
};
