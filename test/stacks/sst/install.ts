// `npm run check:stacks` needs the types that SST installs.
import { installPlatform } from "./platform.ts";

installPlatform();
