// Wakes about claims under way → launches, registration, initialization, drains and terminations.
import { lifecycle } from "../../shared/runtime/handlers/lifecycle.ts";

export const handler = lifecycle;
