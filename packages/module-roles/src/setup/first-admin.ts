import { createHash, randomBytes } from "node:crypto";
import { DEFAULT_TENANT, OvenError } from "@oven/contract";
import type { Database, Queryable } from "@oven/db";
import { hashKey, toKeyPermissions } from "../keys/key-format.ts";
import { OWNER } from "../roles/built-in-roles.ts";

export interface FirstAdmin {
  name: string;
  email: string;
  /** Already hashed. */
  passwordHash: string;
}

const HOURS_VALID = 24;
const NOBODY_YET = "not exists (select 1 from accounts where provider_id = 'credential')";

/** Whether no admin can sign in yet. */
export async function isSetupOpen(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ open: boolean }>(`select ${NOBODY_YET} as open`);
  return row?.open === true;
}

/** A new token, valid for a day; the one before stops working. Undefined when set-up is done. */
export async function newSetupToken(db: Database): Promise<string | undefined> {
  if (!(await isSetupOpen(db))) return undefined;
  const token = randomBytes(32).toString("base64url");
  await db.query(
    `insert into setup_link (single, token_hash, expires_at) values (true, $1, now() + interval '${HOURS_VALID} hours')
     on conflict (single) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at, used_at = null`,
    [hashToken(token)],
  );
  return token;
}

const IS_CLAIMABLE = `token_hash = $1 and used_at is null and expires_at > now() and ${NOBODY_YET}`;

/** @throws OvenError SETUP_TOKEN_INVALID */
export async function requireSetupToken(db: Queryable, token: string): Promise<void> {
  const [link] = await db.query(`select single from setup_link where ${IS_CLAIMABLE}`, [hashToken(token)]);
  if (link === undefined) throw tokenInvalid();
}

function tokenInvalid(): OvenError {
  return new OvenError(
    "SETUP_TOKEN_INVALID",
    "This set-up link was used already, has expired, or was replaced by a newer one",
    {
      status: 403,
      fix: "Use the link the server printed at its last start, or restart it for a new one.",
    },
  );
}

/**
 * Makes the first admin, an owner, or gives the unattended one a password. Claim and creation are one transaction: of two
 * racers one wins.
 * @throws OvenError SETUP_TOKEN_INVALID
 */
export async function claimFirstAdmin(
  db: Database,
  token: string,
  admin: FirstAdmin,
): Promise<{ id: number; tenant_id: number }> {
  return db.transaction(async (tx) => {
    const claimed = await tx.query(`update setup_link set used_at = now() where ${IS_CLAIMABLE} returning single`, [
      hashToken(token),
    ]);
    if (claimed.length === 0) throw tokenInvalid();
    const [user] = await tx.query<{ id: number; tenant_id: number }>(
      `insert into users (name, email, email_verified, tenant_id) values ($1, lower($2), true, $3)
       on conflict (email) do update set name = excluded.name, disabled_at = null returning id, tenant_id`,
      [admin.name, admin.email, DEFAULT_TENANT],
    );
    if (user === undefined) throw new Error("the first admin's row was not returned");
    await makeOwner(tx, user.id);
    await tx.query(
      "insert into accounts (user_id, account_id, provider_id, password) values ($1::bigint, $1::text, 'credential', $2)",
      [user.id, admin.passwordHash],
    );
    await adoptBootstrapKeys(tx, user.id);
    return user;
  });
}

async function makeOwner(tx: Queryable, userId: number): Promise<void> {
  await tx.query("insert into user_roles (tenant_id, user_id, role) values ($1, $2, $3) on conflict do nothing", [
    DEFAULT_TENANT,
    userId,
    OWNER,
  ]);
}

/** The admin made for an unattended install hands its keys to the person who now takes over. */
async function adoptBootstrapKeys(tx: Queryable, userId: number): Promise<void> {
  await tx.query(
    "update api_keys set reference_id = $1::text where reference_id in (select id::text from users where email = $2)",
    [userId, BOOTSTRAP_EMAIL],
  );
  await tx.query("delete from users where email = $1 and id <> $2", [BOOTSTRAP_EMAIL, userId]);
}

const BOOTSTRAP_EMAIL = "bootstrap@oven.invalid";

/** On an empty database: an admin without a password, and an all-powerful key with the given value. */
export async function bootstrapAdmin(db: Database, key: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [user] = await tx.query<{ id: number }>(
      `insert into users (name, email, tenant_id) select 'Administrator', $1, $2
       where not exists (select 1 from users) on conflict do nothing returning id`,
      [BOOTSTRAP_EMAIL, DEFAULT_TENANT],
    );
    if (user === undefined) return false;
    await makeOwner(tx, user.id);
    await tx.query(
      `insert into api_keys (name, start, prefix, key, reference_id, permissions, tenant_id)
       values ('Bootstrap key', $1, '', $2, $3::text, $4, $5)`,
      [key.slice(0, 4), hashKey(key), user.id, JSON.stringify(toKeyPermissions(["*"])), DEFAULT_TENANT],
    );
    return true;
  });
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
