export { installedModules } from "./modules.ts";
export { type Oven, openOven } from "./open-oven.ts";
