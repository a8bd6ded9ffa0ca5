import type { Database } from "@oven/db";
import type { ConfigService } from "@oven/module-registry";
import { readKeepDays } from "../notify-config.ts";

const DAY_MS = 86_400_000;
const ROWS_PER_BATCH = 5_000;
const TABLES = ["notifications", "notification_deliveries"] as const;

/** Removes what people were told long ago. What still waits to be sent stays. */
export class OldRows {
  readonly #db: Database;
  readonly #config: ConfigService;

  constructor({ db, config }: { db: Database; config: ConfigService }) {
    this.#db = db;
    this.#config = config;
  }

  async remove(now: Date): Promise<void> {
    const tenants = await this.#db.query<{ id: number }>("select id from tenants order by id");
    for (const { id } of tenants) {
      const before = new Date(now.getTime() - (await readKeepDays(this.#config, id)) * DAY_MS).toISOString();
      for (const table of TABLES) await this.#removeFrom(table, id, before);
    }
    await this.#db.query(
      "delete from notification_review_deadlines d where not exists (select 1 from reviews r where r.id = d.review_id)",
    );
  }

  async #removeFrom(table: (typeof TABLES)[number], tenantId: number, before: string): Promise<void> {
    const settled = table === "notifications" ? "" : "and status <> 'pending'";
    for (let n = ROWS_PER_BATCH; n === ROWS_PER_BATCH; ) {
      const [row] = await this.#db.query<{ n: number }>(
        `with gone as (delete from ${table} where ctid = any(array(select ctid from ${table}
           where tenant_id = $1 and created_at < $2 ${settled} limit ${ROWS_PER_BATCH})) returning 1)
         select count(*) as n from gone`,
        [tenantId, before],
      );
      n = Number(row?.n ?? 0);
    }
  }
}
