import type { JsonObject } from "@oven/contract";
import type { StoredImport } from "@oven/contract/workflow";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { isImported } from "./import-progress.ts";

export interface Imported {
  /** Whether there is something to look up. */
  isThere: boolean;
  /** Undefined: it is being read; null: no report was stored. */
  imported: StoredImport | null | undefined;
  error: unknown;
}

/** The import that made a workflow. */
export function useImport({ kind }: WorkflowKind, workflowId: number, definition: JsonObject): Imported {
  const isThere = useCan("workflow-formats.read") && isImported(definition);
  const path = isThere ? `workflow-imports?kind=${kind}&workflowId=${workflowId}` : null;
  const { data, error } = useAnswer<StoredImport[]>(path);
  return { isThere, imported: data === undefined ? undefined : (data[0] ?? null), error };
}
