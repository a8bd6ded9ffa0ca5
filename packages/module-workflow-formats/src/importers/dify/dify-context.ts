import type { Json } from "@oven/contract";
import type { Action } from "@oven/contract/workflow";
import type { Part } from "../../importing/graph/graph-parts.ts";
import { partKey } from "../../importing/graph/part-key.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import type { DifyData } from "./dify-data.ts";
import type { DifyDocument, DifyNode } from "./dify-document.ts";

export type Mapped = Pick<Part, "invoke" | "loop" | "final" | "ways" | "endOutput"> & {
  notes?: readonly string[];
  /** A step before it, which hands something to it. */
  before?: { what: string; invoke: Part["invoke"]; mayFail?: boolean; actions?: Action[] };
  /** What a run does when it fails, before it goes on as if it had not. */
  otherwise?: Action;
  /** A second part behind the first, which its ways lead to by `afterKey`. */
  after?: Pick<Part, "invoke" | "loop" | "ways" | "endOutput">;
};

/** The key of the second part of a node. */
export const afterKey = (id: string): string => partKey("after", id);

/** The key of a node's own part where another one comes before it. */
export const ownKey = (id: string): string => partKey("own", id);

/** What the state of the step before a node is found by. */
export const beforeKey = (id: string): string => partKey("before", id);

/** The key of what follows a node that failed and has default values. */
export const defaultKey = (id: string): string => partKey("default", id);

export interface DifyContext {
  document: DifyDocument;
  data: DifyData;
  reporter: ImportReporter;
  /** Ids of states; `afterKey` of a node is the key of its second state. */
  stateOf(key: string): string;
  isChat: boolean;
}

export type MapNode = (node: DifyNode, context: DifyContext) => Mapped;

export function toStep({ id }: DifyNode, context: DifyContext, src: string, input: Record<string, Json>): Mapped {
  const endOutput = `$.${context.stateOf(id)}_output`;
  return { invoke: { src, input }, ways: [{ targets: context.document.outputs(id) }], endOutput };
}
