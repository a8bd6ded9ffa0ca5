import type { Json } from "@oven/contract";
import type { Part } from "../../importing/graph/graph-parts.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import type { N8nDocument, N8nNode } from "./n8n-document.ts";
import type { N8nReferences } from "./n8n-expression.ts";
import type { N8nItems } from "./n8n-items.ts";
import type { IncomingLists } from "./n8n-regions.ts";

/** What a node becomes, beside what all parts have. */
export type Mapped = Pick<Part, "invoke" | "loop" | "ways" | "endOutput"> & {
  notes?: readonly string[];
  /** A step that has to come first; it has the id that `idBefore` says. */
  before?: NonNullable<Part["invoke"]>;
};

export interface N8nContext {
  document: N8nDocument;
  reporter: ImportReporter;
  /** The id of the node that is being mapped. */
  id: string;
  references: N8nReferences;
  items: N8nItems;
  incoming: IncomingLists;
  /** The id of the step that computes for this one, if it has any. */
  idBefore(): string;
  /** A file that comes in, by the name that n8n has for it; undefined: it does not stand in a run. */
  fileOf(name: string): Json | undefined;
  isChat: boolean;
}

export type MapNode = (node: N8nNode, context: N8nContext) => Mapped;

/** A node with one way out that hands on its output. */
export function toStep(node: N8nNode, { document, id }: N8nContext, src: string, input: Record<string, Json>): Mapped {
  return { invoke: { src, input }, ways: [{ targets: document.outputs(node.name) }], endOutput: `$.${id}_output` };
}
