import { createHash, randomBytes } from "node:crypto";
import { DEFAULT_TENANT, OvenError } from "@oven/contract";
import type { Database, Queryable } from "@oven/db";
import { OIDC_PROVIDER } from "../access/auth.ts";
import { hashKey, toKeyPermissions } from "../keys/key-format.ts";
import { OWNER } from "../roles/built-in-roles.ts";
import { removeSecondFactors } from "../second-factor/own-factors.ts";
import { isSignedSetupToken } from "./signed-setup-token.ts";

export interface FirstAdmin {
  name: string;
  email: string;
  /** Already hashed. */
  passwordHash: string;
}

const HOURS_VALID = 24;
/**
 * The key of a bootstrapped install is no person, and people with other roles cannot finish set-up. Whether `$1` sign-in at the
 * provider is on: an owner who has signed in there needs no password, but one whom nothing lets in any more does.
 */
const NO_OWNER_YET = `not exists (
  select 1 from users u
  join user_roles r on r.user_id = u.id and r.tenant_id = ${DEFAULT_TENANT} and r.role = '${OWNER}'
  join accounts a on a.user_id = u.id
    and (a.provider_id = 'credential' and a.password is not null or $1::boolean and a.provider_id = '${OIDC_PROVIDER}')
  where u.tenant_id = ${DEFAULT_TENANT})`;
/** Any constant that no other lock has: the key of the advisory lock under which one person at a time becomes the first owner. */
const CLAIM_KEY = 7_358_120_014;

/** How people may sign in beside a password. */
export interface SignInWays {
  /** At an OpenID Connect provider. */
  oidc: boolean;
}

/** Whether no person with the owner role can sign in yet. */
export async function isSetupOpen(db: Queryable, { oidc }: SignInWays): Promise<boolean> {
  const [row] = await db.query<{ open: boolean }>(`select ${NO_OWNER_YET} as open`, [oidc]);
  return row?.open === true;
}

/** A new token, valid for a day; the one before stops working. Undefined when set-up is done. */
export async function newSetupToken(db: Database, ways: SignInWays): Promise<string | undefined> {
  if (!(await isSetupOpen(db, ways))) return undefined;
  const token = randomBytes(32).toString("base64url");
  await db.query(
    `insert into setup_link (single, token_hash, expires_at) values (true, $1, now() + interval '${HOURS_VALID} hours')
     on conflict (single) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at, used_at = null`,
    [hashToken(token)],
  );
  return token;
}

/** What comes with a request for set-up. */
export interface SetupClaim extends SignInWays {
  /** The installation's, by which tokens made on its machine are signed. */
  secret: string;
  token: string;
}

/** @throws OvenError SETUP_TOKEN_INVALID */
export async function requireSetupToken(db: Queryable, { secret, token, oidc }: SetupClaim): Promise<void> {
  const [link] = await db.query<{ stored: boolean; used: boolean }>(
    `select coalesce(bool_or(used_at is null and expires_at > now()), false) as stored,
       coalesce(bool_or(used_at is not null), false) as used
     from setup_link where token_hash = $1`,
    [hashToken(token)],
  );
  const isValid = link?.stored === true || (link?.used === false && isSignedSetupToken(secret, token, Date.now()));
  if (!isValid || !(await isSetupOpen(db, { oidc }))) throw tokenInvalid();
}

function tokenInvalid(): OvenError {
  return new OvenError(
    "SETUP_TOKEN_INVALID",
    "This set-up link was used already, has expired, or was replaced by a newer one",
    {
      status: 403,
      fix: "Use the link the server printed at its last start, or run `pnpm oven setup-link` on its machine for a new one.",
    },
  );
}

/**
 * Makes the first admin, an owner: the unattended one gets a password, a person who was invited before becomes owner with a new
 * password. Claim and creation are one transaction: of two racers one wins.
 * @throws OvenError SETUP_TOKEN_INVALID; USER_EXISTS 409 for a person of another tenant
 */
export async function claimFirstAdmin(
  db: Database,
  claim: SetupClaim,
  admin: FirstAdmin,
): Promise<{ id: number; tenant_id: number }> {
  return db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock($1)", [CLAIM_KEY]);
    await requireSetupToken(tx, claim);
    await tx.query(
      `insert into setup_link (single, token_hash, expires_at, used_at) values (true, $1, now(), now())
       on conflict (single) do update set token_hash = excluded.token_hash, used_at = excluded.used_at`,
      [hashToken(claim.token)],
    );
    const user = (await nameBootstrapUser(tx, admin)) ?? (await makeUser(tx, admin));
    await makeOwner(tx, user.id);
    // A person who was invited may have forgotten their password, or be another person than expected.
    await removeSecondFactors(tx, user.id);
    await tx.query("delete from accounts where user_id = $1 and provider_id = 'credential'", [user.id]);
    await tx.query(
      "insert into accounts (user_id, account_id, provider_id, password) values ($1::bigint, $1::text, 'credential', $2)",
      [user.id, admin.passwordHash],
    );
    await registerBootstrapKeys(tx, user.id);
    return user;
  });
}

type AdminRow = { id: number; tenant_id: number };

/** The unattended install's user becomes the person: what it has made and what runs as it stays theirs. */
async function nameBootstrapUser(tx: Queryable, { name, email }: FirstAdmin): Promise<AdminRow | undefined> {
  const [user] = await tx.query<AdminRow>(
    `update users set name = $1, email = lower($2), email_verified = true, disabled_at = null
     where email = $3 and not exists (select 1 from users where email = lower($2)) returning id, tenant_id`,
    [name, email, BOOTSTRAP_EMAIL],
  );
  return user;
}

async function makeUser(tx: Queryable, { name, email }: FirstAdmin): Promise<AdminRow> {
  const [user] = await tx.query<AdminRow>(
    `insert into users (name, email, email_verified, tenant_id) values ($1, lower($2), true, $3)
     on conflict (email) do update set name = excluded.name, disabled_at = null
     where users.tenant_id = excluded.tenant_id returning id, tenant_id`,
    [name, email, DEFAULT_TENANT],
  );
  if (user !== undefined) return user;
  throw new OvenError("USER_EXISTS", "There is a user with this e-mail address in another tenant", {
    status: 409,
    path: "$.email",
    fix: "Use another e-mail address.",
  });
}

async function makeOwner(tx: Queryable, userId: number): Promise<void> {
  await tx.query("insert into user_roles (tenant_id, user_id, role) values ($1, $2, $3) on conflict do nothing", [
    DEFAULT_TENANT,
    userId,
    OWNER,
  ]);
}

/** The admin made for an unattended install hands its keys to a person who was there already. */
async function registerBootstrapKeys(tx: Queryable, userId: number): Promise<void> {
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
