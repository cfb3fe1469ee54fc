// Every hour → what each served region sells, and at which prices, as the catalog that all functions plan with.
import { refreshCatalog } from "../../shared/runtime/handlers/refresh-catalog.ts";

export const handler = refreshCatalog;
