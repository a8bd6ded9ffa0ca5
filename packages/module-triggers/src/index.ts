export type { Clock } from "@oven/db";
export { createTriggersModule, type TriggersOptions } from "./triggers.module.ts";
