import { isObject } from "@oven/engine";
import type { Importer } from "../../importing/importer.ts";

/** Graphs of LangGraph. */
export const importer: Importer = {
  product: "langgraph",
  title: "LangGraph",
  document: "the graph of LangGraph as JSON",
  recognises: (value) => isObject(value) && "nodes" in value && "edges" in value && !("states" in value),
  load: async () => (await import("./import-langgraph.ts")).importLangGraph,
};
