import type { SecretRotation } from "@oven/contract/access";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import type { SecretService } from "@oven/module-registry";
import { z } from "zod";
import { apiAccounts } from "../schema.ts";

/** The owner of the account that all share. */
export const SHARED = 0;

/** What a call shows the API. */
const AccountSchema = z.strictObject({
  /** An access token, or the value that a person gave. */
  value: z.string(),
  refreshToken: z.string().optional(),
  /** Milliseconds since 1970; absent: until the API refuses it. */
  expiresAt: z.number().optional(),
});
export type Account = z.output<typeof AccountSchema>;

/** Whose account, and where. */
export interface Owner {
  tenantId: number;
  connectionId: number;
  /** `SHARED`, or a person's. */
  userId: number;
}

type Row = typeof apiAccounts.$inferSelect;

/** Accounts at APIs: sealed in the database, in the clear only while they are used. */
export class AccountStore {
  readonly #db: Database;
  readonly #secrets: Pick<SecretService, "sealed">;

  constructor(db: Database, secrets: Pick<SecretService, "sealed">) {
    this.#db = db.system;
    this.#secrets = secrets;
    secrets.sealed.onRotate((tenantId) => this.#rotate(tenantId));
  }

  /** What cannot be opened is as if no account had been connected. */
  async find(owner: Owner): Promise<{ row: Row; account: Account } | undefined> {
    const [row] = await this.#db.orm.select().from(apiAccounts).where(of(owner));
    const text = row && this.#secrets.sealed.open(owner.tenantId, nameOf(owner), row.sealed);
    return row === undefined || text === undefined
      ? undefined
      : { row, account: AccountSchema.parse(JSON.parse(text)) };
  }

  async write(owner: Owner, account: Account): Promise<void> {
    const sealed = this.#secrets.sealed.seal(owner.tenantId, nameOf(owner), JSON.stringify(account));
    await this.#db.orm
      .insert(apiAccounts)
      .values({ ...owner, sealed })
      .onConflictDoUpdate({
        target: [apiAccounts.tenantId, apiAccounts.connectionId, apiAccounts.userId],
        set: { sealed, renewingUntil: null, updatedAt: sql`now()` },
      });
  }

  /**
   * Takes the right to renew an account that is still as it was read; one process at a time has it.
   * @param forMs after which another may take it, should this process end
   */
  async claim(owner: Owner, { sealed }: Row, forMs: number): Promise<boolean> {
    const claimed = await this.#db.query(
      `update api_accounts set renewing_until = now() + make_interval(secs => $1)
       where tenant_id = $2 and connection_id = $3 and user_id = $4 and sealed = $5
         and (renewing_until is null or renewing_until < now())
       returning id`,
      [forMs / 1_000, owner.tenantId, owner.connectionId, owner.userId, sealed],
    );
    return claimed.length > 0;
  }

  async release(owner: Owner): Promise<void> {
    await this.#db.orm.update(apiAccounts).set({ renewingUntil: null }).where(of(owner));
  }

  /** @returns whether there was one */
  async forget(owner: Owner): Promise<boolean> {
    const gone = await this.#db.orm.delete(apiAccounts).where(of(owner)).returning({ id: apiAccounts.id });
    return gone.length > 0;
  }

  async forgetAll({ tenantId, connectionId }: Omit<Owner, "userId">): Promise<void> {
    await this.#db.orm
      .delete(apiAccounts)
      .where(and(eq(apiAccounts.tenantId, tenantId), eq(apiAccounts.connectionId, connectionId)));
  }

  /** When each person connected their account; the shared one is not among them. */
  async owners({ tenantId, connectionId }: Omit<Owner, "userId">): Promise<{ userId: number; at: Date }[]> {
    const rows = await this.#db.orm
      .select({ userId: apiAccounts.userId, at: apiAccounts.createdAt })
      .from(apiAccounts)
      .where(and(eq(apiAccounts.tenantId, tenantId), eq(apiAccounts.connectionId, connectionId)))
      .orderBy(apiAccounts.userId);
    return rows.filter(({ userId }) => userId !== SHARED);
  }

  async #rotate(tenantId: number | undefined): Promise<SecretRotation> {
    const rows = await this.#db.orm
      .select()
      .from(apiAccounts)
      .where(tenantId === undefined ? undefined : eq(apiAccounts.tenantId, tenantId));
    const result: SecretRotation = { rotated: 0, unreadable: [] };
    const { sealed } = this.#secrets;
    for (const row of rows.filter((one) => !sealed.isPresent(one.sealed))) {
      const text = sealed.open(row.tenantId, nameOf(row), row.sealed);
      if (text === undefined) {
        result.unreadable.push(nameOf(row));
        continue;
      }
      await this.#db.orm
        .update(apiAccounts)
        .set({ sealed: sealed.seal(row.tenantId, nameOf(row), text) })
        .where(and(eq(apiAccounts.id, row.id), eq(apiAccounts.sealed, row.sealed)));
      result.rotated++;
    }
    return result;
  }
}

function of({ tenantId, connectionId, userId }: Owner) {
  return and(
    eq(apiAccounts.tenantId, tenantId),
    eq(apiAccounts.connectionId, connectionId),
    eq(apiAccounts.userId, userId),
  );
}

function nameOf({ connectionId, userId }: Pick<Owner, "connectionId" | "userId">): string {
  return `api-connection/${connectionId}/${userId}`;
}
