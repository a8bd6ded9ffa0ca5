import { type Json, SYSTEM_PRINCIPAL, toActor } from "@oven/contract";
import type { Database } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";
import { DUE_SOON, LONGEST_DEADLINE_MINUTES, readDeadlineMinutes } from "../notify-config.ts";

const BATCH = 500;

/** Says of each open review, once, that its deadline is near. */
export class DeadlineWatch {
  readonly #db: Database;
  readonly #services: ServiceMap;

  constructor({ db, services }: { db: Database; services: ServiceMap }) {
    this.#db = db;
    this.#services = services;
  }

  async look(now: Date): Promise<void> {
    const latest = new Date(now.getTime() + LONGEST_DEADLINE_MINUTES * 60_000);
    const due = await this.#db.query<{ id: number; tenant_id: number; due_at: Date }>(
      `select r.id, r.tenant_id, r.due_at from reviews r
       where r.status = 'open' and r.due_at > $1 and r.due_at <= $2
         and not exists (select 1 from notification_review_deadlines d where d.review_id = r.id)
       order by r.due_at limit ${BATCH}`,
      [now.toISOString(), latest.toISOString()],
      "notification-deadlines",
    );
    const minutesOf = new Map<number, number>();
    let said = false;
    for (const { id, tenant_id: tenantId, due_at: dueAt } of due) {
      const minutes = minutesOf.get(tenantId) ?? (await readDeadlineMinutes(this.#services.config, tenantId));
      minutesOf.set(tenantId, minutes);
      if (dueAt.getTime() - now.getTime() > minutes * 60_000) continue;
      await this.#say(id, tenantId, dueAt);
      said = true;
    }
    if (said) this.#services.events.wake();
  }

  /** Whether a deadline lies ahead that was not said to be near. */
  async hasOpen(now: Date): Promise<boolean> {
    const open = await this.#db.query(
      `select 1 from reviews r where r.status = 'open' and r.due_at > $1
         and not exists (select 1 from notification_review_deadlines d where d.review_id = r.id) limit 1`,
      [now.toISOString()],
      "notification-open-deadline",
    );
    return open.length > 0;
  }

  /** Reviews that are gone. */
  async forgetGone(): Promise<void> {
    await this.#db.query(
      "delete from notification_review_deadlines d where not exists (select 1 from reviews r where r.id = d.review_id)",
    );
  }

  /** The row and the event go together: whoever writes the row first tells, and nobody after. */
  async #say(reviewId: number, tenantId: number, dueAt: Date): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const [first] = await tx.query(
        `insert into notification_review_deadlines (review_id, tenant_id) values ($1, $2)
         on conflict (review_id) do nothing returning review_id`,
        [reviewId, tenantId],
      );
      if (first === undefined) return;
      const [review] = await tx.query<{ execution_id: number; title: string; node_id: string; assignees: Json }>(
        "select execution_id, title, node_id, assignees from reviews where id = $1",
        [reviewId],
      );
      if (review === undefined) return;
      const { execution_id: executionId, title, node_id: nodeId, assignees } = review;
      await this.#services.events.write(tx, [
        {
          name: DUE_SOON,
          tenantId,
          actor: toActor(SYSTEM_PRINCIPAL),
          payload: { reviewId, executionId, nodeId, title, assignees, dueAt: dueAt.toISOString() },
          orderKey: `execution:${executionId}`,
        },
      ]);
    });
  }
}
