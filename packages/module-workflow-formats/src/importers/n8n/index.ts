import { isObject } from "@oven/engine";
import type { Importer } from "../../importing/importer.ts";

/** Workflows of n8n. */
export const importer: Importer = {
  product: "n8n",
  title: "n8n",
  document: "the workflow of n8n as JSON",
  recognises: (value) => isObject(value) && "nodes" in value && "connections" in value && !("states" in value),
  load: async () => (await import("./import-n8n.ts")).importN8n,
};
