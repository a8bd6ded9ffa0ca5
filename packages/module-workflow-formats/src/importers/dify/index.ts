import { isObject } from "@oven/engine";
import type { Importer } from "../../importing/importer.ts";
import { importDify } from "./import-dify.ts";

/** Workflows and chatflows of Dify. */
export const importer: Importer = {
  product: "dify",
  title: "Dify",
  document: "the DSL of Dify as YAML",
  recognises: (value) => isObject(value) && "kind" in value && ("app" in value || "workflow" in value),
  import: importDify,
};
