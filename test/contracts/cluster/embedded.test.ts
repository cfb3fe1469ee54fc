// The kube adapter against the embedded Kubernetes API.
import { createApiServer } from "../../../local/kube/server.ts";
import { installCrds } from "../../cluster/crds.ts";
import { crdsIn, ourCrdFolder } from "../../cluster/documents.ts";
import { kubeSubject } from "./kube-subject.ts";
import { runClusterSuite } from "./suite.ts";

runClusterSuite(
  "embedded Kubernetes API",
  kubeSubject(async (clock) => {
    let count = 0;
    const next = () => String(++count).padStart(12, "0");
    const server = createApiServer({
      clock,
      ids: { uid: () => `00000000-0000-4000-8000-${next()}`, nameSuffix: () => next().slice(-5) },
    });
    await server.listen();
    const { server: url, token, ca } = server.kubeconfig();
    await installCrds({ url, token, ca }, crdsIn(ourCrdFolder));
    return { connection: { url, token, ca }, stop: () => server.close() };
  }),
);
