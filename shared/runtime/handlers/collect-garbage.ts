import { createCollectGarbage } from "../../controllers/collect-garbage.ts";
import { wakeHandler } from "../wake-handler.ts";

export const collectGarbage = wakeHandler("collect-garbage", createCollectGarbage);
