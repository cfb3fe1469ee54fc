// The control plane itself: it boots, it answers, and it leaves nothing behind, even when its owner is killed.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, it, vi } from "vitest";
import { startControlPlane } from "./control-plane.ts";
import { send } from "./http.ts";

const noControlPlane = inject("noControlPlane");
const title = `a control plane${noControlPlane === undefined ? "" : ` (skipped: ${noControlPlane})`}`;

describe.skipIf(noControlPlane !== undefined)(title, () => {
  it("boots twice side by side, tells its version, and is gone when stopped", async () => {
    const planes = await Promise.all([startControlPlane(), startControlPlane()]);
    for (const plane of planes) {
      expect((await send(plane, "GET", "/version")).body.gitVersion).toBe("v1.36.3");
      expect((await send({ ...plane, token: "nobody" }, "GET", "/api/v1/nodes")).status).toBe(401);
    }
    await Promise.all(planes.map((plane) => plane.stop()));
    for (const plane of planes) {
      await expect(send(plane, "GET", "/version")).rejects.toThrow();
      expect(existsSync(dirname(plane.kubeconfigPath))).toBe(false);
    }
  });

  it("dies with an owner that is killed", async () => {
    const up = fileURLToPath(new URL("up.ts", import.meta.url));
    const owner = spawn(process.execPath, [up, "--scheduler"], { stdio: ["ignore", "pipe", "ignore"] });
    const line = await new Promise<string>((resolve) => {
      let text = "";
      owner.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes("\n")) resolve(text);
      });
    });
    const plane = JSON.parse(line) as { url: string; token: string; ca: string; kubeconfigPath: string };
    expect((await send(plane, "GET", "/readyz")).status).toBe(200);
    owner.kill("SIGKILL");
    await vi.waitFor(() => expect(existsSync(dirname(plane.kubeconfigPath))).toBe(false), { timeout: 60_000 });
    await expect(send(plane, "GET", "/version")).rejects.toThrow();
  });
});
