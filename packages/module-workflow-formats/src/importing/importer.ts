import type { Json, JsonObject } from "@oven/contract";
import type { SourceGraph } from "./complete/source-graph.ts";
import type { ImportReporter } from "./import-reporter.ts";

export interface Imported {
  name: string;
  description: string | null;
  definition: JsonObject;
  /** What the document has: each node and connection has to be in the definition, or in the report as left out. */
  source: SourceGraph;
}

/** Reads one product's workflows, as `index.ts` of its folder declares it. Pure. */
export interface Importer {
  /** Id of the product: the `product` of an import, and in the `meta.imported` of what is made of it. */
  product: string;
  title: string;
  /** What to export there, and as what: "the workflow of n8n as JSON". */
  document: string;
  /** Whether a document is one of this product's, by what it has. */
  recognises(value: Json): boolean;
  /** Loads what reads the documents: only threads that read one need it. */
  load(): Promise<ReadForeignDocument>;
}

/** @throws OvenError SOURCE_INVALID with paths in the document */
export type ReadForeignDocument = (value: Json, reporter: ImportReporter) => Imported;
