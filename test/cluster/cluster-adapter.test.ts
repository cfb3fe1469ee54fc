// The kube adapter against a real API server: the suite that every Cluster passes.
import { inject } from "vitest";
import { kubeSubject } from "../contracts/cluster/kube-subject.ts";
import { runClusterSuite } from "../contracts/cluster/suite.ts";
import { startControlPlane } from "./control-plane.ts";
import { installCrds } from "./crds.ts";
import { crdsIn, ourCrdFolder } from "./documents.ts";

const noControlPlane = inject("noControlPlane");

runClusterSuite(
  `kube-apiserver${noControlPlane === undefined ? "" : ` (skipped: ${noControlPlane})`}`,
  kubeSubject(async () => {
    const plane = await startControlPlane();
    await installCrds(plane, crdsIn(ourCrdFolder));
    return { connection: plane, stop: plane.stop };
  }),
  { skip: noControlPlane !== undefined },
);
