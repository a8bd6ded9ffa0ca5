export type { Clock } from "@oven/db";
export { toFormFields } from "./forms/form-fields.ts";
export { requireFitting } from "./forms/require-fitting.ts";
export { createTriggersModule, type TriggersOptions } from "./triggers.module.ts";
