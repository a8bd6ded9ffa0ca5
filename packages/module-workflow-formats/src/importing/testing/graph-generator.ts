import { readdirSync } from "node:fs";
import type { JsonObject } from "@oven/contract";
import type { RunGenerator } from "./compare-runs.ts";
import type { Random } from "./random.ts";

/** A generated graph as its parts, so that parts can be taken away while it still shows a fault. */
export interface GeneratedGraph {
  nodes: readonly JsonObject[];
  edges: readonly JsonObject[];
}

/** What a document says about where runs come to, read from the document alone. */
export interface GeneratedDocument {
  document: JsonObject;
  /** Nodes that runs begin with, by name. */
  starts: readonly string[];
  /** Ways that runs may take from one node to another. */
  links: readonly { from: string; to: string; path: string }[];
  /** Where each node that runs come to stands in the document. */
  steps: ReadonlyMap<string, string>;
}

/** Random documents of one product. */
export interface GraphGenerator {
  product: string;
  generate(random: Random): GeneratedGraph;
  describe(graph: GeneratedGraph): GeneratedDocument;
}

/** The generators of all importers: each has them in its folder. */
export async function loadGenerators(): Promise<{ graphs: GraphGenerator; runs: RunGenerator }[]> {
  const folder = new URL("../../importers/", import.meta.url);
  const load = async (name: string) => {
    const [{ graphs }, { runs }] = await Promise.all(
      ["graphs", "runs"].map((what) => import(new URL(`${name}/testing/generated-${what}.ts`, folder).href)),
    );
    return { graphs, runs };
  };
  return Promise.all(readdirSync(folder).map(load));
}
