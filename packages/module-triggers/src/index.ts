export type { Clock } from "./deliveries/clock.ts";
export { createTriggersModule, type TriggersOptions } from "./triggers.module.ts";
