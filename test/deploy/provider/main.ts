// Stand-in for Pulumi's AWS and random providers, which are on no package registry: makes the resource types that the
// stacks use by AWS's own API (kinds/), and refuses any other by name. Started by the engine as pulumi-resource-<package>.
import { requirePlatform } from "../platform.ts";
import { type Message, serve } from "../serve.ts";
import { isGone, openCalls, type Values } from "./aws.ts";
import { checked } from "./check.ts";
import type { Kind, Surroundings } from "./kind.ts";
import { dataSources, kinds } from "./kinds/index.ts";
import { fromStruct, same, toStruct } from "./struct.ts";

const platform = requirePlatform();
const { ResourceProviderService } = platform("@pulumi/pulumi/proto/provider_grpc_pb.js");
const messages = platform("@pulumi/pulumi/proto/provider_pb.js");
const { PluginInfo } = platform("@pulumi/pulumi/proto/plugin_pb.js");
const { Empty } = platform("google-protobuf/google/protobuf/empty_pb.js");

let around: Surroundings = {
  ...openCalls(process.env.AWS_REGION ?? "us-east-1"),
  account: "123456789012",
  partition: "aws",
  defaultTags: {},
};

await serve(ResourceProviderService, {
  getPluginInfo: () => new PluginInfo(),
  attach: () => new Empty(),
  cancel: () => new Empty(),
  checkConfig: (request) => answerInputs(request.getNews()),
  diffConfig: () => new messages.DiffResponse(),
  configure,
  invoke,
  check: (request) => {
    const inputs = checked(
      kindOf(request),
      nameOf(request),
      fromStruct(request.getOlds()),
      fromStruct(request.getNews()),
      around,
      request.getRandomseed_asU8(),
    );
    return answerInputs(toStruct(inputs));
  },
  diff,
  create,
  read,
  update,
  delete: async (request) => {
    await kindOf(request).remove?.(request.getId(), fromStruct(request.getProperties()), around);
    return new Empty();
  },
});

/** `aws:sqs/queue:Queue` out of a URN. */
function typeOf(request: Message): string {
  return String(request.getUrn()).split("::")[2]?.split("$").at(-1) ?? "";
}

function nameOf(request: Message): string {
  return String(request.getUrn()).split("::").slice(3).join("::");
}

function kindOf(request: Message): Kind {
  const type = typeOf(request);
  const kind = kinds[type];
  if (kind === undefined)
    throw new Error(`the provider stand-in does not know ${type}: add it to test/deploy/provider/kinds`);
  return kind;
}

function answerInputs(struct: Message): Message {
  const answer = new messages.CheckResponse();
  answer.setInputs(struct);
  return answer;
}

async function configure(request: Message): Promise<Message> {
  const args = fromStruct(request.getArgs());
  const tags = typeof args.defaultTags === "string" ? JSON.parse(args.defaultTags) : args.defaultTags;
  const region = typeof args.region === "string" ? args.region : around.region;
  if (region !== around.region) around = { ...around, ...openCalls(region) };
  const identity = await around.aws("sts", "GetCallerIdentity");
  around = {
    ...around,
    account: String(identity.Account),
    defaultTags: tags?.tags ?? {},
  };
  const answer = new messages.ConfigureResponse();
  answer.setSupportspreview(false);
  return answer;
}

async function invoke(request: Message): Promise<Message> {
  const source = dataSources[request.getTok()];
  if (source === undefined) throw new Error(`the provider stand-in does not know the data source ${request.getTok()}`);
  const answer = new messages.InvokeResponse();
  answer.setReturn(toStruct(await source(fromStruct(request.getArgs()), around)));
  return answer;
}

function diff(request: Message): Message {
  const kind = kindOf(request);
  const olds = fromStruct(request.getOldInputs());
  const news = fromStruct(request.getNews());
  const ignored: string[] = request.getIgnorechangesList();
  const changed = [...new Set([...Object.keys(olds), ...Object.keys(news)])]
    .filter((key) => !key.startsWith("__") && !ignored.includes(key) && !same(olds[key], news[key]))
    .sort();
  const answer = new messages.DiffResponse();
  const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
  answer.setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE);
  answer.setDiffsList(changed);
  answer.setReplacesList(changed.filter((key) => kind.update === undefined || kind.fixed.includes(key)));
  answer.setDeletebeforereplace(kind.deleteFirst === true);
  return answer;
}

async function create(request: Message): Promise<Message> {
  const inputs = fromStruct(request.getProperties());
  const made = await kindOf(request).create(inputs, around);
  const answer = new messages.CreateResponse();
  answer.setId(made.id);
  answer.setProperties(toStruct({ ...inputs, ...made.outputs }));
  return answer;
}

async function update(request: Message): Promise<Message> {
  const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
  const outputs = await kindOf(request).update?.(request.getId(), news, olds, around);
  const answer = new messages.UpdateResponse();
  answer.setProperties(toStruct({ ...computed(olds, fromStruct(request.getOldInputs())), ...news, ...outputs }));
  return answer;
}

async function read(request: Message): Promise<Message> {
  const kind = kindOf(request);
  const olds = fromStruct(request.getProperties());
  if (kind.read === undefined) throw new Error(`the provider stand-in cannot read ${typeOf(request)}`);
  const answer = new messages.ReadResponse();
  try {
    const outputs = await kind.read(request.getId(), olds, around);
    answer.setId(request.getId());
    answer.setProperties(toStruct({ ...olds, ...outputs }));
    answer.setInputs(request.getInputs() ?? toStruct({}));
  } catch (cause) {
    // An answer without an id says that it is gone.
    if (!isGone((cause as { code?: string }).code ?? "")) throw cause;
  }
  return answer;
}

/** What earlier calls answered, such as an ARN: not what the program once gave and perhaps gives no more. */
function computed(olds: Values, oldInputs: Values): Values {
  return Object.fromEntries(Object.entries(olds).filter(([key]) => !(key in oldInputs)));
}
