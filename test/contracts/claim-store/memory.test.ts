import { createMemoryClaimStore } from "../../../shared/adapters/memory/claim-store.ts";
import { runClaimStoreSuite } from "./suite.ts";

runClaimStoreSuite("memory", async () => ({ store: createMemoryClaimStore() }));
