import { toDeviceClass, toResourceClaim, toResourceClaimTemplate, toResourceSlice } from "../../api/index.ts";
import type { ClusterView } from "../../core/model/index.ts";
import type { Call } from "./call.ts";
import { paths } from "./documents.ts";
import type { List } from "./read-cluster.ts";

type DeviceView = Pick<ClusterView, "resourceClaims" | "resourceClaimTemplates" | "deviceClasses" | "resourceSlices">;

export const noDevices: DeviceView = {
  resourceClaims: [],
  resourceClaimTemplates: [],
  deviceClasses: [],
  resourceSlices: [],
};

/** Claims last: a device that is handed out meanwhile then counts as taken. Before Kubernetes 1.34 there is nothing to read. */
export async function readDevices(call: Call, list: List): Promise<DeviceView> {
  const { status } = await call({ method: "GET", path: "/apis/resource.k8s.io/v1" }, [404]);
  if (status === 404) return noDevices;
  const [templates, classes, slices] = await Promise.all([
    list(paths.resourceClaimTemplates, "ResourceClaimTemplate", toResourceClaimTemplate),
    list(paths.deviceClasses, "DeviceClass", toDeviceClass),
    list(paths.resourceSlices, "ResourceSlice", toResourceSlice),
  ]);
  const claims = await list(paths.resourceClaims, "ResourceClaim", toResourceClaim);
  return {
    resourceClaims: claims.items,
    resourceClaimTemplates: templates.items,
    deviceClasses: classes.items,
    resourceSlices: slices.items,
  };
}
