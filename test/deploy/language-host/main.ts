// Stand-in for pulumi-language-nodejs, which is not on any package registry: the engine's host for programs in Node.
// It does what a deployment asks of it, which is to run @pulumi/pulumi's own runner (cmd/run) with the engine's addresses. It
// neither installs packages nor generates code, and answers such calls with "unimplemented".
import { spawn } from "node:child_process";
import { requirePlatform } from "../platform.ts";
import { type Message, serve } from "../serve.ts";

/** Exit code with which the runner says that it has told of its error itself. */
const toldOfErrorItself = 32;

const platform = requirePlatform();
const { LanguageRuntimeService } = platform("@pulumi/pulumi/proto/language_grpc_pb.js");
const messages = platform("@pulumi/pulumi/proto/language_pb.js");
const { PluginInfo } = platform("@pulumi/pulumi/proto/plugin_pb.js");
const { Empty } = platform("google-protobuf/google/protobuf/empty_pb.js");
const engine = process.argv.slice(2).find((argument) => !argument.startsWith("-")) ?? "";

await serve(LanguageRuntimeService, {
  handshake: () => new messages.LanguageHandshakeResponse(),
  getPluginInfo: () => new PluginInfo(),
  // Which providers a program needs is learned from its registrations; they are installed beforehand.
  getRequiredPackages: () => new messages.GetRequiredPackagesResponse(),
  cancel: () => new Empty(),
  run,
});

async function run(request: Message): Promise<Message> {
  const flags = {
    monitor: request.getMonitorAddress(),
    engine,
    organization: request.getOrganization(),
    project: request.getProject(),
    stack: request.getStack(),
    "root-directory": request.getInfo()?.getRootDirectory() ?? "",
    pwd: request.getInfo()?.getProgramDirectory() ?? request.getPwd(),
    parallel: String(request.getParallel()),
  };
  const args = Object.entries(flags).flatMap(([name, value]) => (value === "" ? [] : [`--${name}=${value}`]));
  if (request.getDryrun()) args.push("--dry-run");
  args.push(request.getInfo()?.getEntryPoint() || request.getProgram() || ".", ...request.getArgsList());
  const config = Object.fromEntries(request.getConfigMap().toArray());
  const code = await exitCode([platform.resolve("@pulumi/pulumi/cmd/run"), ...args], {
    ...process.env,
    PULUMI_CONFIG: JSON.stringify(config),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
  });
  const answer = new messages.RunResponse();
  if (code === toldOfErrorItself) answer.setBail(true);
  else if (code !== 0) answer.setError(`the program ended with exit code ${code}`);
  return answer;
}

/** The engine reads what a host prints and shows it as the program's own words. */
function exitCode(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? -1));
  });
}
