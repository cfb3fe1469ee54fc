import { createProvision } from "../../controllers/provision.ts";
import { planProvisioning } from "../../core/provisioning/index.ts";
import { wakeHandler } from "../wake-handler.ts";

const planners = { provisioning: planProvisioning };

export const provision = wakeHandler("provision", (ports, settings) =>
  createProvision(ports, { ...settings, planners }),
);
