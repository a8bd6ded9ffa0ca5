import { type ListParams, notFound, type Principal } from "@oven/contract";
import type { Notification } from "@oven/contract/system";
import type { Clock, Database } from "@oven/db";
import { and, count, eq, isNull, type SQL, sql } from "@oven/db/drizzle";
import { listRows } from "@oven/module-registry";
import { notifications } from "../schema.ts";

type Row = typeof notifications.$inferSelect;

/** What the caller was told. A key sees what its owner sees; what belongs to nobody sees nothing. */
export class InboxService {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** `filter.pending`: what is unread, without what is about a review that is closed. */
  async list(principal: Principal, params: ListParams): Promise<{ rows: Notification[]; total: number }> {
    const { pending, ...filter } = params.filter;
    const { id, kind, executionId, reviewId, readAt, createdAt, tenantId, subject, text } = notifications;
    const { rows, total } = await listRows(
      this.#db.orm,
      principal,
      { ...params, filter },
      {
        table: notifications,
        fields: { id, kind, executionId, reviewId, readAt, createdAt },
        search: [subject, text],
        tenant: tenantId,
        where: pending === true ? sql`${ownOf(principal)} and ${PENDING}` : ownOf(principal),
      },
    );
    return { rows: rows.map(toNotification), total };
  }

  async unread(principal: Principal): Promise<number> {
    const [row] = await this.#db.orm
      .select({ unread: count() })
      .from(notifications)
      .where(and(ownOf(principal), PENDING));
    return Number(row?.unread ?? 0);
  }

  /** @throws OvenError NOT_FOUND, also for what others were told */
  async get(principal: Principal, id: number): Promise<Notification> {
    const [row] = await this.#db.orm
      .select()
      .from(notifications)
      .where(and(ownOf(principal), eq(notifications.id, id)));
    if (row === undefined) throw notFound("notification", id);
    return toNotification(row);
  }

  /** @throws OvenError NOT_FOUND */
  async markRead(principal: Principal, id: number): Promise<Notification> {
    const now = await this.#clock();
    const [row] = await this.#db.orm
      .update(notifications)
      .set({ readAt: sql`coalesce(${notifications.readAt}, ${now.toISOString()}::timestamptz)` })
      .where(and(ownOf(principal), eq(notifications.id, id)))
      .returning();
    if (row === undefined) throw notFound("notification", id);
    return toNotification(row);
  }

  /** @returns how many were unread */
  async markAllRead(principal: Principal): Promise<number> {
    const marked = await this.#db.orm
      .update(notifications)
      .set({ readAt: await this.#clock() })
      .where(and(ownOf(principal), isNull(notifications.readAt)))
      .returning({ id: notifications.id });
    return marked.length;
  }
}

/** Of a review that another person has decided there is nothing left to do. */
const PENDING = sql`${notifications.readAt} is null and (${notifications.reviewId} is null
  or exists (select 1 from reviews r where r.id = ${notifications.reviewId} and r.status = 'open'))`;

function ownOf({ tenantId, userId }: Principal): SQL {
  return sql`${notifications.tenantId} = ${tenantId} and ${notifications.userId} = ${userId}`;
}

function toNotification(row: Row): Notification {
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    text: row.text,
    link: row.link,
    executionKind: row.executionKind,
    executionId: row.executionId,
    reviewId: row.reviewId,
    readAt: row.readAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
