export { installedModules } from "./modules.ts";
export { type Oven, openOven } from "./open-oven.ts";
export { type LogFormat, toLogLine } from "./redacted-console.ts";
export { type StopOptions, stopOnSignals } from "./stop-on-signals.ts";
