// A gRPC server on a free port of loopback that tells its port as the engine expects it: the first line on stdout.
import { requirePlatform } from "./platform.ts";

/** One call of a service, answered by a message or an error that names what failed. */
export type Method = (request: Message) => Promise<Message> | Message;

/** A protobuf message of the SDK's generated code, which has types for neither its getters nor its setters here. */
// biome-ignore lint/suspicious/noExplicitAny: generated code without declarations
export type Message = any;

/** Serves the methods that are given; the others of the service answer "unimplemented", with their name. */
export async function serve(service: Message, methods: Readonly<Record<string, Method>>): Promise<void> {
  const grpc = requirePlatform()("@grpc/grpc-js");
  const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
  const server = new grpc.Server(unlimited);
  const handlers: Record<string, unknown> = {};
  for (const name of Object.keys(service)) {
    handlers[name] = async (call: Message, callback: (error: unknown, answer?: Message) => void) => {
      const method = methods[name];
      if (method === undefined) {
        callback({ code: grpc.status.UNIMPLEMENTED, details: `the stand-in has no ${name}` });
        return;
      }
      try {
        callback(null, await method(call.request));
      } catch (cause) {
        callback({ code: grpc.status.UNKNOWN, details: cause instanceof Error ? cause.message : String(cause) });
      }
    };
  }
  server.addService(service, handlers);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error: Error | null, bound: number) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  process.stdout.write(`${port}\n`);
}
