import { isObject } from "@oven/engine";
import type { Importer } from "../../importing/importer.ts";
import { importN8n } from "./import-n8n.ts";

/** Workflows of n8n. */
export const importer: Importer = {
  product: "n8n",
  title: "n8n",
  document: "the workflow of n8n as JSON",
  recognises: (value) => isObject(value) && "nodes" in value && "connections" in value && !("states" in value),
  import: importN8n,
};
