import type { JsonObject } from "@oven/contract";
import type { Workflow } from "@oven/contract/workflow";
import { EditorStore } from "../editor/editor-store.ts";
import type { OpenDraft } from "./open-draft.ts";

/** A canvas with nothing on it. */
export const NOTHING: JsonObject = { states: {} };

/** A workflow that was created under the hands of a person, and the document they go on with. */
export interface CreatedWorkflow {
  draft: OpenDraft;
  store: EditorStore;
}

const created = new Map<string, CreatedWorkflow>();
const keyOf = (resource: string, id: number): string => `${resource}/${id}`;

/** Hands the document of a new workflow, with its undo, to the editor that opens at its own address. */
export function rememberCreated(resource: string, workflow: Workflow, store: EditorStore): void {
  const { definition, version } = workflow;
  const server = { definition, revision: 0, baseVersion: version, updatedAt: null };
  created.set(keyOf(resource, workflow.id), { draft: { ...server, recovered: false, server }, store });
}

/** What was created here, once: `forget` it when it is open. */
export const createdWorkflow = (resource: string, id: number): CreatedWorkflow | undefined =>
  created.get(keyOf(resource, id));

export function forgetCreated(resource: string, id: number): void {
  created.delete(keyOf(resource, id));
}

export function newDocument(): EditorStore {
  return new EditorStore(NOTHING);
}
