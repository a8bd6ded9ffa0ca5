/** The columns of a run that holds are about, as SQL. */
interface HeldColumns {
  tenantId: string;
  workflowId: string;
  /** Ids of the run and of the root of its family; empty for a run that is about to be written: it cannot be held alone. */
  runs: readonly string[];
}

/** Whether a run of this kind begins no new step, as an SQL condition. */
export function heldCondition(kind: string, { tenantId, workflowId, runs }: HeldColumns): string {
  const isOne =
    runs.length === 0 ? "h.execution_id is null" : `(h.execution_id is null or h.execution_id in (${runs.join(", ")}))`;
  return `exists (select 1 from run_holds h where h.tenant_id = ${tenantId} and ${isOne}
    and (h.kind is null or h.kind = '${kind}' and h.workflow_id = ${workflowId}))`;
}

/** The same of run `e`; one that is to be cancelled is worked on all the same. */
export function heldRunCondition(kind: string, workflowColumn: string): string {
  const runs = ["e.id", "e.root_id"];
  const held = heldCondition(kind, { tenantId: "e.tenant_id", workflowId: `e.${workflowColumn}`, runs });
  return `(${held} and not exists (select 1 from run_signals c where c.execution_id = e.id and c.consumed_at is null and c.type = 'cancel'))`;
}
