import type { Json, JsonObject } from "@oven/contract";
import type { ForeignProduct } from "@oven/contract/workflow";
import type { ImportReporter } from "./import-reporter.ts";

export interface Imported {
  name: string;
  description: string | null;
  definition: JsonObject;
}

/** Reads one product's workflows. Pure. */
export interface Importer {
  product: ForeignProduct;
  /** Whether a document is one of this product's, by what it has. */
  recognises(value: Json): boolean;
  /** @throws OvenError SOURCE_INVALID with paths in the document */
  import(value: Json, reporter: ImportReporter): Imported;
}
