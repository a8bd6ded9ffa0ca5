import { isObject } from "@oven/engine";
import type { Importer } from "../../importing/importer.ts";
import { START } from "./flowise-document.ts";

/** Agentflows (version 2) of Flowise. */
export const importer: Importer = {
  product: "flowise",
  title: "Flowise",
  document: "the agentflow of Flowise as JSON",
  recognises: (value) =>
    isObject(value) &&
    Array.isArray(value.edges) &&
    Array.isArray(value.nodes) &&
    value.nodes.some((node) => isObject(node) && isObject(node.data) && node.data.name === START),
  load: async () => (await import("./import-flowise.ts")).importFlowise,
};
