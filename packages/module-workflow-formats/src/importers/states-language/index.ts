import { isObject } from "@oven/engine";
import type { Importer } from "../../importing/importer.ts";

/** State machines in Amazon States Language. */
export const importer: Importer = {
  product: "states-language",
  title: "Amazon States Language",
  document: "the definition of a state machine in Amazon States Language as JSON or YAML",
  recognises: (value) => isObject(value) && "StartAt" in value && "States" in value,
  load: async () => (await import("./import-states.ts")).importStates,
};
