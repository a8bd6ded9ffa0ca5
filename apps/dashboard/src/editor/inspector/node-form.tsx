import type { Json, JsonObject, NodeType, Problem } from "@oven/contract";
import {
  type Address,
  type EditorStore,
  findState,
  getAt,
  removeAt,
  setAt,
  toPath,
} from "@oven/workflow-editor/document";
import { toFields } from "@oven/workflow-editor/inspector";
import { type ReactElement, useMemo } from "react";
import { FormContext, type FormContextValue } from "./form-context.ts";
import { ObjectFields } from "./object-fields.tsx";

export interface NodeFormProps {
  store: EditorStore;
  stateId: string;
  state: JsonObject;
  path: string;
  type: NodeType;
  problems: readonly Problem[];
}

const INPUT: Address = ["invoke", "input"];

/** The input of the node that a state invokes, as the form of its schema. */
export function NodeForm({ store, stateId, state, path, type, problems }: NodeFormProps): ReactElement {
  const form = useMemo(
    (): FormContextValue => ({
      write: (at, value) =>
        store.apply(
          `Change ${at.join(".")} of ${stateId}`,
          { document: writeInput(store.document, stateId, at, value) },
          `${stateId}.input.${at.join(".")}`,
        ),
      seal: () => store.seal(),
      problemAt: (at) => {
        const where = `${path}.invoke.input${toPath(at).slice(1)}`;
        return problems.find((problem) => problem.path === where)?.message ?? null;
      },
    }),
    [store, stateId, path, problems],
  );
  return (
    <FormContext value={form}>
      <ObjectFields fields={toFields(type.inputSchema)} at={[]} value={getAt(state, INPUT)} />
    </FormContext>
  );
}

function writeInput(document: JsonObject, stateId: string, at: Address, value: Json | undefined): JsonObject {
  const place = findState(document, stateId);
  if (place === undefined) return document;
  const input = [...place.address, ...INPUT];
  if (value !== undefined) return setAt(document, [...input, ...at], value);
  const removed = removeAt(document, [...input, ...at]);
  const left = getAt(removed, input);
  // `input: {}` says nothing.
  const isEmpty = typeof left === "object" && left !== null && Object.keys(left).length === 0;
  return isEmpty ? removeAt(removed, input) : removed;
}
