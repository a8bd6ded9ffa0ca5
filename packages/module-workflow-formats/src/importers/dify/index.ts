import { isObject } from "@oven/engine";
import type { Importer } from "../../importing/importer.ts";

/** Workflows and chatflows of Dify. */
export const importer: Importer = {
  product: "dify",
  title: "Dify",
  document: "the DSL of Dify as YAML",
  // Exports of the first versions have no `kind`.
  recognises: (value) =>
    isObject(value) &&
    (("kind" in value && ["app", "workflow", "rag_pipeline"].some((key) => key in value)) ||
      (isObject(value.app) && "mode" in value.app)),
  load: async () => (await import("./import-dify.ts")).importDify,
};
