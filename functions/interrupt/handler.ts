// EventBridge events about instances, by queue → deletions and replacements at once.
import { interrupt } from "../../shared/runtime/handlers/interrupt.ts";

export const handler = interrupt;
