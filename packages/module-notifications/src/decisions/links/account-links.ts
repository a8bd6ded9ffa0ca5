import { createHash, randomBytes } from "node:crypto";
import { notFound, OvenError, type Principal } from "@oven/contract";
import type { AccountLink, DecisionProvider, LinkedAccount } from "@oven/contract/system";
import type { Clock, Database } from "@oven/db";
import { and, asc, eq, gt, lte, or } from "@oven/db/drizzle";
import { accountLinks, linkedAccounts } from "../../schema.ts";

/** An account elsewhere, as its service has named it. */
export interface OutsideAccount {
  provider: DecisionProvider;
  /** The workspace or directory: ids of accounts mean something together with it only. */
  workspace: string;
  account: string;
  /** By whose proof it is known; see `toProof`. */
  proof: string;
}

const LINK_MINUTES = 15;
const TOKEN_BYTES = 32;

/** Which accounts decide in whose name. A person links theirs once, signed in, by a POST; nothing is matched by name or address. */
export class AccountLinks {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** The person of a tenant whose account this is. */
  async userOf(tenantId: number, outside: OutsideAccount): Promise<number | undefined> {
    const [row] = await this.#db.system.orm
      .select({ userId: linkedAccounts.userId })
      .from(linkedAccounts)
      .where(isSame(linkedAccounts, tenantId, outside));
    return row?.userId;
  }

  /** The token of an address at which a person may link the account; it replaces an earlier one. */
  async offer(tenantId: number, outside: OutsideAccount, name: string): Promise<string> {
    const now = await this.#clock();
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    const expiresAt = new Date(now.getTime() + LINK_MINUTES * 60_000);
    const { provider, workspace, account, proof } = outside;
    await this.#db.system.transaction(async (tx) => {
      const isOver = or(isSame(accountLinks, tenantId, outside), lte(accountLinks.expiresAt, now));
      await tx.orm.delete(accountLinks).where(isOver);
      const values = { tokenHash: hashToken(token), tenantId, provider, workspace, account, name, proof, expiresAt };
      await tx.orm.insert(accountLinks).values(values);
    });
    return token;
  }

  /** What an address is about. Nothing is linked. @throws OvenError NOT_FOUND, NOT_CALLABLE */
  async show(principal: Principal, token: string): Promise<AccountLink> {
    requirePerson(principal);
    const [row] = await this.#db.orm
      .select()
      .from(accountLinks)
      .where(await this.#isValid(principal, token));
    if (row === undefined) throw noLink();
    const { provider, workspace, account, name, expiresAt } = row;
    return { provider, workspace, account, name, expiresAt: expiresAt.toISOString() };
  }

  /** Links the account to the person who is signed in; the address is used up. @throws OvenError NOT_FOUND, NOT_CALLABLE, UNIQUE_VIOLATION 409 */
  async confirm(principal: Principal, token: string): Promise<LinkedAccount> {
    const userId = requirePerson(principal);
    const isValid = await this.#isValid(principal, token);
    return this.#db.transaction(async (tx) => {
      const [link] = await tx.orm.delete(accountLinks).where(isValid).returning();
      if (link === undefined) throw noLink();
      const { tenantId, provider, workspace, account, name, proof } = link;
      const values = { tenantId, userId, provider, workspace, account, name, proof };
      const [linked] = await tx.orm.insert(linkedAccounts).values(values).onConflictDoNothing().returning();
      if (linked === undefined) throw isLinked();
      return toLinkedAccount(linked);
    });
  }

  async list({ userId, tenantId }: Principal): Promise<LinkedAccount[]> {
    if (userId === null) return [];
    const rows = await this.#db.orm
      .select()
      .from(linkedAccounts)
      .where(and(eq(linkedAccounts.userId, userId), eq(linkedAccounts.tenantId, tenantId)))
      .orderBy(asc(linkedAccounts.id));
    return rows.map(toLinkedAccount);
  }

  /** From now on the account decides nothing. @throws OvenError NOT_FOUND, also for those of others */
  async remove({ userId, tenantId }: Principal, id: number): Promise<void> {
    const { id: key, userId: user, tenantId: tenant } = linkedAccounts;
    const gone = await this.#db.orm
      .delete(linkedAccounts)
      .where(and(eq(key, id), eq(user, userId ?? 0), eq(tenant, tenantId)))
      .returning({ id: key });
    if (gone.length === 0) throw notFound("linked account", id);
  }

  async #isValid({ tenantId }: Principal, token: string) {
    const now = await this.#clock();
    const { tokenHash, tenantId: tenant, expiresAt } = accountLinks;
    return and(eq(tokenHash, hashToken(token)), eq(tenant, tenantId), gt(expiresAt, now));
  }
}

/**
 * What a service proved an account with: a digest of the key that signed. A rule with another key says nothing about accounts
 * that were linked under this one.
 */
export function toProof(...parts: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify(["oven-linked-account", ...parts]))
    .digest("base64url");
}

function isSame(
  table: typeof linkedAccounts | typeof accountLinks,
  tenantId: number,
  { provider, workspace, account, proof }: OutsideAccount,
) {
  return and(
    eq(table.tenantId, tenantId),
    eq(table.provider, provider),
    eq(table.workspace, workspace),
    eq(table.account, account),
    eq(table.proof, proof),
  );
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function toLinkedAccount(row: typeof linkedAccounts.$inferSelect): LinkedAccount {
  const { id, provider, workspace, account, name, createdAt } = row;
  return { id, provider, workspace, account, name, createdAt: createdAt.toISOString() };
}

/** A key, or a program that acts for a person, must not give itself all of the person's rights. @throws OvenError NOT_CALLABLE */
function requirePerson({ kind, userId, through }: Principal): number {
  if (kind === "user" && userId !== null && through === undefined) return userId;
  throw new OvenError(
    "NOT_CALLABLE",
    "An account is linked by the person it belongs to, and an API key is not a person",
    {
      fix: "Sign in with e-mail and password.",
    },
  );
}

function noLink(): OvenError {
  return new OvenError("NOT_FOUND", "This address was used, or is older than 15 minutes", {
    status: 404,
    fix: "Press the button of the message again for another one.",
  });
}

function isLinked(): OvenError {
  return new OvenError("UNIQUE_VIOLATION", "This account is linked already", {
    status: 409,
    fix: "Remove it on the account page of the person it is linked to.",
  });
}
