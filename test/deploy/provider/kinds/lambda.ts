import { unlessGone, type Values } from "../aws.ts";
import { given, type Kind, pascal, type Surroundings, text, values } from "../kind.ts";

/** Of the answers about a function, what programs read. */
function outputs(answer: Values, around: Surroundings): Values {
  const arn = text(answer.FunctionArn);
  const invoke = `arn:${around.partition}:apigateway:${around.region}:lambda:path/2015-03-31/functions/${arn}/invocations`;
  return {
    arn,
    qualifiedArn: `${arn}:$LATEST`,
    invokeArn: invoke,
    version: answer.Version,
    lastModified: answer.LastModified,
    sourceCodeSize: answer.CodeSize,
    codeSha256: answer.CodeSha256,
  };
}

/** What both the making and the changing of a function take, but the code. */
function configuration(inputs: Values): Values {
  const network = values(inputs.vpcConfig);
  return given({
    FunctionName: inputs.name,
    Role: inputs.role,
    Handler: inputs.handler,
    Runtime: inputs.runtime,
    Description: inputs.description,
    Timeout: inputs.timeout,
    MemorySize: inputs.memorySize,
    Environment: { Variables: values(values(inputs.environment).variables) },
    EphemeralStorage: pascal(inputs.ephemeralStorage),
    LoggingConfig: pascal(inputs.loggingConfig),
    TracingConfig: pascal(inputs.tracingConfig),
    DeadLetterConfig: pascal(inputs.deadLetterConfig),
    Layers: inputs.layers,
    VpcConfig:
      inputs.vpcConfig === undefined
        ? undefined
        : given({
            SubnetIds: network.subnetIds,
            SecurityGroupIds: network.securityGroupIds,
            Ipv6AllowedForDualStack: network.ipv6AllowedForDualStack,
          }),
  });
}

async function concurrency(inputs: Values, olds: Values, { aws }: Surroundings): Promise<void> {
  const [reserved, before] = [inputs.reservedConcurrentExecutions, olds.reservedConcurrentExecutions];
  if (reserved === before) return;
  const FunctionName = inputs.name;
  await (reserved === undefined
    ? aws("lambda", "DeleteFunctionConcurrency", { FunctionName })
    : aws("lambda", "PutFunctionConcurrency", { FunctionName, ReservedConcurrentExecutions: reserved }));
}

const lambdaFunction: Kind = {
  named: { property: "name", maxLength: 64 },
  fixed: ["name", "packageType"],
  tagged: true,
  async create(inputs, around) {
    const created = await around.aws("lambda", "CreateFunction", {
      ...configuration(inputs),
      Code: given({ S3Bucket: inputs.s3Bucket, S3Key: inputs.s3Key }),
      PackageType: inputs.packageType ?? "Zip",
      Architectures: inputs.architectures ?? ["x86_64"],
      Publish: inputs.publish ?? false,
      Tags: values(inputs.tagsAll),
    });
    await concurrency(inputs, {}, around);
    return { id: text(inputs.name), outputs: outputs(created, around) };
  },
  async update(id, inputs, olds, around) {
    if (inputs.s3Key !== olds.s3Key || JSON.stringify(inputs.architectures) !== JSON.stringify(olds.architectures)) {
      await around.aws("lambda", "UpdateFunctionCode", {
        FunctionName: id,
        S3Bucket: inputs.s3Bucket,
        S3Key: inputs.s3Key,
        Architectures: inputs.architectures,
      });
    }
    await concurrency(inputs, olds, around);
    return outputs(await around.aws("lambda", "UpdateFunctionConfiguration", configuration(inputs)), around);
  },
  async remove(id, _state, { aws }) {
    await unlessGone(aws("lambda", "DeleteFunction", { FunctionName: id }));
  },
  async read(id, _state, around) {
    const { Configuration } = await around.aws("lambda", "GetFunction", { FunctionName: id });
    return outputs(values(Configuration), around);
  },
};

function mapping(inputs: Values): Values {
  return given({
    FunctionName: inputs.functionName,
    Enabled: inputs.enabled ?? true,
    BatchSize: inputs.batchSize,
    MaximumBatchingWindowInSeconds: inputs.maximumBatchingWindowInSeconds,
    FunctionResponseTypes: inputs.functionResponseTypes,
    ScalingConfig: pascal(inputs.scalingConfig),
    FilterCriteria: pascal(inputs.filterCriteria),
    MetricsConfig: pascal(inputs.metricsConfig),
  });
}

const eventSourceMapping: Kind = {
  fixed: ["eventSourceArn"],
  tagged: true,
  async create(inputs, { aws }) {
    const created = await aws("lambda", "CreateEventSourceMapping", {
      ...mapping(inputs),
      EventSourceArn: inputs.eventSourceArn,
    });
    const uuid = text(created.UUID);
    return { id: uuid, outputs: { uuid, functionArn: created.FunctionArn } };
  },
  async update(id, inputs, _olds, { aws }) {
    await aws("lambda", "UpdateEventSourceMapping", { UUID: id, ...mapping(inputs) });
    return {};
  },
  async remove(id, _state, { aws }) {
    await unlessGone(aws("lambda", "DeleteEventSourceMapping", { UUID: id }));
  },
};

const permission: Kind = {
  named: { property: "statementId", maxLength: 100 },
  fixed: ["statementId", "action", "function", "principal", "sourceArn", "sourceAccount", "qualifier"],
  async create(inputs, { aws }) {
    const StatementId = text(inputs.statementId);
    await aws("lambda", "AddPermission", {
      FunctionName: inputs.function,
      StatementId,
      ...given({
        Action: inputs.action,
        Principal: inputs.principal,
        SourceArn: inputs.sourceArn,
        SourceAccount: inputs.sourceAccount,
        Qualifier: inputs.qualifier === "" ? undefined : inputs.qualifier,
      }),
    });
    return { id: StatementId };
  },
  async remove(id, state, { aws }) {
    await unlessGone(aws("lambda", "RemovePermission", { FunctionName: state.function, StatementId: id }));
  },
};

function invokeConfig(inputs: Values): Values {
  return given({
    FunctionName: inputs.functionName,
    MaximumRetryAttempts: inputs.maximumRetryAttempts,
    MaximumEventAgeInSeconds: inputs.maximumEventAgeInSeconds,
    DestinationConfig: pascal(inputs.destinationConfig),
  });
}

const functionEventInvokeConfig: Kind = {
  fixed: ["functionName", "qualifier"],
  async create(inputs, { aws }) {
    await aws("lambda", "PutFunctionEventInvokeConfig", invokeConfig(inputs));
    return { id: text(inputs.functionName) };
  },
  async update(_id, inputs, _olds, { aws }) {
    await aws("lambda", "PutFunctionEventInvokeConfig", invokeConfig(inputs));
    return {};
  },
  async remove(id, _state, { aws }) {
    await unlessGone(aws("lambda", "DeleteFunctionEventInvokeConfig", { FunctionName: id }));
  },
};

/** Invokes when it is made and when what triggers it changes; an error of the function is an error of the deployment. */
async function invoke(inputs: Values, { aws }: Surroundings): Promise<Values> {
  const answer = await aws("lambda", "Invoke", {
    FunctionName: inputs.functionName,
    Payload: { $base64: Buffer.from(text(inputs.input)).toString("base64") },
  });
  const payload = Buffer.from(text(values(answer.Payload).$base64 ?? ""), "base64").toString();
  if (answer.FunctionError !== undefined) throw new Error(`${inputs.functionName} failed: ${payload}`);
  return { result: payload };
}

const invocation: Kind = {
  fixed: ["functionName", "input", "qualifier", "triggers"],
  async create(inputs, around) {
    const outputs = await invoke(inputs, around);
    return { id: `${inputs.functionName}_$LATEST_${Buffer.from(text(inputs.input)).length}`, outputs };
  },
};

export const lambdaKinds: Readonly<Record<string, Kind>> = {
  "aws:lambda/function:Function": lambdaFunction,
  "aws:lambda/eventSourceMapping:EventSourceMapping": eventSourceMapping,
  "aws:lambda/invocation:Invocation": invocation,
  "aws:lambda/permission:Permission": permission,
  "aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig": functionEventInvokeConfig,
};
