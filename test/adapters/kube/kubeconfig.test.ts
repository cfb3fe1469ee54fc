import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { RequestOptions } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCertificate } from "../../../local/kube/certificate.ts";
import { createSeededIds } from "../../../local/kube/ids.ts";
import { createApiServer } from "../../../local/kube/server.ts";
import { type KubeConnection, openKubeCluster } from "../../../shared/adapters/kube/index.ts";
import {
  serviceAccountConnection,
  tokenConnection,
  usualConnection,
} from "../../../shared/adapters/kube/kubeconfig.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

async function credentialsOf(connection: KubeConnection): Promise<{ authorization: unknown; ca: string }> {
  const options: RequestOptions = {};
  await connection.applyToHTTPSOptions(options);
  const headers = options.headers as Record<string, unknown> | undefined;
  return { authorization: headers?.Authorization, ca: String(options.ca) };
}

describe("a service account", () => {
  const { cert } = createCertificate(Date.UTC(2026, 0, 1));
  const write = (file: string, text: string) =>
    writeFileSync(join(folder, "var/run/secrets/kubernetes.io/serviceaccount", file), text);

  function mounted(token: string): KubeConnection {
    mkdirSync(join(folder, "var/run/secrets/kubernetes.io/serviceaccount"), { recursive: true });
    write("token", token);
    write("ca.crt", cert);
    vi.stubEnv("KUBERNETES_SERVICE_HOST", "fd00::1");
    vi.stubEnv("KUBERNETES_SERVICE_PORT", "443");
    return serviceAccountConnection(folder);
  }

  it("gives the address of the environment, the mounted CA and the token, without a newline at its end", async () => {
    const connection = mounted("first\n");
    expect(connection.getCurrentCluster()?.server).toBe("https://[fd00::1]:443");
    expect(await credentialsOf(connection)).toEqual({ authorization: "Bearer first", ca: cert });
  });

  it("follows a token that its kubelet renews within a minute or so", async () => {
    const connection = mounted("first");
    await credentialsOf(connection);
    write("token", "second");
    vi.setSystemTime(1_060_000);
    expect((await credentialsOf(connection)).authorization).toBe("Bearer first");
    vi.setSystemTime(1_061_000);
    expect((await credentialsOf(connection)).authorization).toBe("Bearer second");
  });

  it.each(["two tokens", "one\ntwo", "tökén"])(
    "sends nothing that is no token, and takes the next one: %j",
    async (text) => {
      const connection = mounted(text);
      await expect(credentialsOf(connection)).rejects.toThrow("it is no token");
      write("token", "good");
      vi.setSystemTime(1_061_000);
      expect((await credentialsOf(connection)).authorization).toBe("Bearer good");
    },
  );

  it("fails while the file is away, and goes on when it is back", async () => {
    const connection = mounted("first");
    rmSync(join(folder, "var/run/secrets/kubernetes.io/serviceaccount/token"));
    await expect(credentialsOf(connection)).rejects.toThrow("ENOENT");
    write("token", "second");
    expect((await credentialsOf(connection)).authorization).toBe("Bearer second");
  });
});

describe("the usual configuration", () => {
  function kubeconfig(user: object): void {
    const config = {
      "current-context": "x",
      clusters: [{ name: "c", cluster: { server: "https://api.example.com" } }],
      users: [{ name: "u", user }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    };
    writeFileSync(join(folder, "config"), JSON.stringify(config));
    vi.stubEnv("KUBECONFIG", join(folder, "config"));
  }

  it("is the kubeconfig that KUBECONFIG names", async () => {
    kubeconfig({ token: "from-file" });
    const connection = usualConnection();
    expect(connection.getCurrentCluster()?.server).toBe("https://api.example.com");
    expect((await credentialsOf(connection)).authorization).toBe("Bearer from-file");
  });

  it("runs the program that it names for a token", async () => {
    const credential = { kind: "ExecCredential", status: { token: "from-program" } };
    const args = ["-e", `console.log('${JSON.stringify(credential)}')`];
    kubeconfig({ exec: { apiVersion: "client.authentication.k8s.io/v1", command: process.execPath, args } });
    expect((await credentialsOf(usualConnection())).authorization).toBe("Bearer from-program");
  });

  it("is an error where there is none", () => {
    vi.stubEnv("KUBECONFIG", undefined);
    vi.stubEnv("HOME", folder);
    expect(() => usualConnection()).toThrow("set KUBECONFIG, or run in a pod");
  });
});

describe("a token of our own", () => {
  it("opens a cluster by the CA that it was registered with, and is made anew when it was refused", async () => {
    vi.useRealTimers();
    const kube = createApiServer({ clock: { now: () => Date.now() }, ids: createSeededIds(1) });
    await kube.listen();
    const { server, ca, token } = kube.kubeconfig();
    const made: string[] = [];
    const tokens = ["refused", token];
    const fetched = {
      fetch: async () => {
        made.push(tokens[0]!);
        return tokens[0]!;
      },
      forget: () => tokens.shift(),
    };
    const caBundle = Buffer.from(ca).toString("base64");
    const connection = tokenConnection({ cluster: "c", server, caBundle, token: fetched });
    const clock = { now: () => 0, sleep: async () => {} };
    const cluster = openKubeCluster({ connection }, { clock, forgetToken: fetched.forget });
    expect(await cluster.readUid()).not.toBe("");
    expect(made).toEqual(["refused", token]);
    await kube.close();
  });

  it("goes to a server without TLS too, as worlds on this machine have them", async () => {
    const connection = tokenConnection({ cluster: "c", server: "http://127.0.0.1:1", caBundle: "", token: "t" });
    expect((await credentialsOf(connection)).authorization).toBe("Bearer t");
  });
});
