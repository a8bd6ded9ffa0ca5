import type { ExecutionKind } from "@oven/contract/run";
import { type NotificationKind, type WorkflowNotify, WorkflowNotifySchema } from "@oven/contract/system";
import type { Database, Queryable } from "@oven/db";

export interface NotifyTarget {
  kind: ExecutionKind;
  workflowId: number;
}

/** What decides who is told of a run's end. */
export interface RunNotify extends WorkflowNotify {
  /** What rules of the tenant that are on are about. */
  ruled: NotificationKind[];
}

/** Of workflows: whether the person who started a run is notified of its end. */
export class WorkflowNotifyRows {
  readonly #db: Database;
  readonly #onChange: (isJoint: boolean) => void;

  /** @param onChange told of every change; `isJoint`: it is part of a transaction that goes on */
  constructor(db: Database, onChange: (isJoint: boolean) => void) {
    this.#db = db;
    this.#onChange = onChange;
  }

  async of({ kind, workflowId }: NotifyTarget): Promise<WorkflowNotify> {
    const [row] = await this.#db.query<{ on_complete: boolean; on_failure: boolean }>(
      `select notify_on_complete as on_complete, notify_on_failure as on_failure from workflow_notify
       where workflow_kind = $1 and workflow_id = $2`,
      [kind, workflowId],
      "workflow-notify",
    );
    return row === undefined
      ? WorkflowNotifySchema.parse({})
      : { onComplete: row.on_complete, onFailure: row.on_failure };
  }

  /** The same, and what there are rules about, in one look. */
  async ofRun({ kind, workflowId }: NotifyTarget, tenantId: number): Promise<RunNotify> {
    const [row] = await this.#db.query<{
      on_complete: boolean | null;
      on_failure: boolean | null;
      ruled: NotificationKind[] | null;
    }>(
      `select (select array_agg(distinct about) from notification_rules, jsonb_array_elements_text(events) as about
           where tenant_id = $3 and enabled) as ruled,
         n.notify_on_complete as on_complete, n.notify_on_failure as on_failure
       from (values (1)) as one left join workflow_notify n on n.workflow_kind = $1 and n.workflow_id = $2`,
      [kind, workflowId, tenantId],
      "workflow-notify-of-run",
    );
    const plain = WorkflowNotifySchema.parse({});
    return {
      onComplete: row?.on_complete ?? plain.onComplete,
      onFailure: row?.on_failure ?? plain.onFailure,
      ruled: row?.ruled ?? [],
    };
  }

  async set(
    tenantId: number,
    { kind, workflowId }: NotifyTarget,
    notify: WorkflowNotify,
    tx?: Queryable,
  ): Promise<void> {
    await (tx ?? this.#db).query(
      `insert into workflow_notify (tenant_id, workflow_kind, workflow_id, notify_on_complete, notify_on_failure)
       values ($1, $2, $3, $4, $5)
       on conflict (workflow_kind, workflow_id) do update set notify_on_complete = excluded.notify_on_complete,
         notify_on_failure = excluded.notify_on_failure, updated_at = now()`,
      [tenantId, kind, workflowId, notify.onComplete, notify.onFailure],
    );
    this.#onChange(tx !== undefined || this.#db.isJoint);
  }

  async delete({ kind, workflowId }: NotifyTarget): Promise<void> {
    await this.#db.query("delete from workflow_notify where workflow_kind = $1 and workflow_id = $2", [
      kind,
      workflowId,
    ]);
    this.#onChange(this.#db.isJoint);
  }
}
