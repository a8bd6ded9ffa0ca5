import type { JsonObject } from "@oven/contract";
import type { Workflow, WorkflowDraft } from "@oven/contract/workflow";
import { api } from "@oven/ui/api/api-client.ts";
import { ApiError } from "@oven/ui/api/api-error.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { StoredDraft } from "../definition/use-stored-draft.ts";

/** What this browser stores beside the server, so that a crash or a lost connection loses nothing. */
export interface StoredWork {
  definition: JsonObject;
  /** The revision of the server's draft that it was made from; 0: there was no draft. */
  revision: number;
  baseVersion: number;
}

/** What the server has: the draft, or without one the version. */
export interface ServerDraft {
  definition: JsonObject;
  revision: number;
  baseVersion: number;
  updatedAt: string | null;
}

/** Where a session of the editor begins. */
export interface OpenDraft extends StoredWork {
  /** The browser had changes that never reached the server. */
  recovered: boolean;
  server: ServerDraft;
}

/** The draft on the server, or null where there is none. @throws ApiError */
export async function loadDraft(kind: WorkflowKind, id: number): Promise<WorkflowDraft | null> {
  try {
    const { json } = await api(`${kind.resource}/${id}/draft`);
    return json as WorkflowDraft; // cast: the shape of the draft route
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/**
 * Begins with what this browser stored, whatever happened meanwhile: saving or publishing it finds out what others did and
 * ask. Else with the draft, else with the version.
 */
export function chooseDraft(
  workflow: Workflow,
  draft: WorkflowDraft | null,
  stored: StoredDraft<StoredWork> | null,
): OpenDraft {
  const server: ServerDraft = draft ?? {
    definition: workflow.definition,
    revision: 0,
    baseVersion: workflow.version,
    updatedAt: null,
  };
  const work = stored?.draft;
  if (work === undefined || JSON.stringify(work.definition) === JSON.stringify(server.definition))
    return { ...server, recovered: false, server };
  // The draft it was made from may have been published or discarded since; then it begins a new one.
  return { ...work, revision: draft === null ? 0 : work.revision, recovered: true, server };
}
