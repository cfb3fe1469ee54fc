// The suite that the embedded Kubernetes API passes, asked of a real one: so the embedded one is held to it.
import { describe, inject } from "vitest";
import { runKubeApiSuite } from "../contracts/kube-api/suite.ts";
import { startControlPlane } from "./control-plane.ts";

const noControlPlane = inject("noControlPlane");

describe.skipIf(noControlPlane !== undefined)(
  `real${noControlPlane === undefined ? "" : ` (skipped: ${noControlPlane})`}`,
  () => {
    runKubeApiSuite(
      "kube-apiserver",
      async () => {
        const { url, token, ca, stop } = await startControlPlane({
          controllers: ["garbage-collector-controller", "namespace-controller"],
        });
        return { url, token, ca, close: stop };
      },
      { controllers: true },
    );
  },
);
