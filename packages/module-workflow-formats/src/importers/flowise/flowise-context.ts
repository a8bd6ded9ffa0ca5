import type { Json } from "@oven/contract";
import type { Action } from "@oven/contract/workflow";
import type { Part } from "../../importing/graph/graph-parts.ts";
import { partKey } from "../../importing/graph/part-key.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import type { FlowiseData, PartOf } from "./flowise-data.ts";
import { type FlowiseDocument, type FlowiseNode, objectsIn, textOf } from "./flowise-document.ts";

export type Mapped = Pick<Part, "invoke" | "loop" | "final" | "ways" | "endOutput"> & {
  notes?: readonly string[];
  /** What a part before it does. */
  before?: readonly Action[];
  /** Further parts behind the first, by what they are. */
  more?: readonly (readonly [PartOf, Pick<Part, "invoke" | "loop" | "ways" | "endOutput">])[];
};

export interface FlowiseContext {
  document: FlowiseDocument;
  data: FlowiseData;
  reporter: ImportReporter;
  stateOf(node: string, part?: PartOf): string;
  isChat: boolean;
}

export type MapNode = (node: FlowiseNode, context: FlowiseContext) => Mapped;

/** The key of a further part of a node. */
export const keyOf = (part: PartOf, node: string): string => partKey(part, node);

/** @throws NoEquivalent */
export function updatesOf(
  field: Json | undefined,
  node: FlowiseNode,
  { data }: FlowiseContext,
  own?: string,
): Action[] {
  return objectsIn(field).flatMap(({ key, value }): Action[] => {
    const name = textOf(key);
    if (name === "") return [];
    return [{ type: "assign", params: { path: statePath(name), value: data.template(value, node, own) } }];
  });
}

const statePath = (key: string): string =>
  /^[A-Za-z_]\w*$/.test(key) ? `$.state.${key}` : `$.state[${JSON.stringify(key)}]`;

/** A step whose one way leads on, with what it writes into the state of the flow. */
export function toStep(
  node: FlowiseNode,
  context: FlowiseContext,
  src: string,
  { input, updates = [], content }: { input: Record<string, Json>; updates?: readonly Action[]; content: string },
): Mapped {
  const actions = updates.length === 0 ? {} : { actions: [...updates] };
  return {
    invoke: { src, input },
    ways: [{ targets: context.document.outputs(node.id), ...actions }],
    endOutput: { text: content },
  };
}
