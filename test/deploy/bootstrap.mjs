// Lambda's side of a function in Node, as its runtime API wants it: fetch an event, run the handler, answer. The real
// managed runtime adds streaming and more; bundles are loaded in the same way, by the name "folder/file.export".
import { pathToFileURL } from "node:url";

const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`;
const [module, name] = process.env._HANDLER.split(/\.(?=[^.]*$)/);
const post = (path, body) => fetch(`${api}/${path}`, { method: "POST", body: JSON.stringify(body ?? null) });
const errorOf = (error) => ({
  errorType: error?.name,
  errorMessage: error?.message,
  stackTrace: error?.stack?.split("\n"),
});

let handler;
try {
  handler = (await import(pathToFileURL(`${process.env.LAMBDA_TASK_ROOT}/${module}.mjs`).href))[name];
} catch (error) {
  await post("init/error", errorOf(error));
  throw error;
}
for (;;) {
  const next = await fetch(`${api}/invocation/next`);
  const awsRequestId = next.headers.get("lambda-runtime-aws-request-id");
  const deadlineMs = Number(next.headers.get("lambda-runtime-deadline-ms"));
  process.env._X_AMZN_TRACE_ID = next.headers.get("lambda-runtime-trace-id") ?? "";
  const context = {
    awsRequestId,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: "$LATEST",
    invokedFunctionArn: next.headers.get("lambda-runtime-invoked-function-arn"),
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  };
  try {
    await post(`invocation/${awsRequestId}/response`, await handler(await next.json(), context));
  } catch (error) {
    console.error(error);
    await post(`invocation/${awsRequestId}/error`, errorOf(error));
  }
}
