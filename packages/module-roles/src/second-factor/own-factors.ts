import type { Passkey } from "@oven/contract/access";
import type { Queryable } from "@oven/db";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import type { Auth } from "../access/auth.ts";
import { hashSessionToken } from "../access/hashed-sessions.ts";

/** The recovery codes that were not used yet. For their owner only, right after they were made, and to be counted. */
export async function recoveryCodesOf(auth: Auth, userId: number): Promise<string[]> {
  return (await auth.api.viewBackupCodes({ body: { userId: String(userId) } })).backupCodes;
}

interface PasskeyRow extends Record<string, unknown> {
  id: number;
  name: string | null;
  backed_up: boolean;
  created_at: Date;
}

/** The passkeys of a person, the oldest first. */
export async function listPasskeys(db: Queryable, userId: number): Promise<Passkey[]> {
  const rows = await db.query<PasskeyRow>(
    "select id, name, backed_up, created_at from passkeys where user_id = $1 order by id",
    [userId],
  );
  return rows.map(({ id, name, backed_up, created_at }) => ({
    id,
    name: name ?? "",
    synced: backed_up,
    createdAt: created_at.toISOString(),
  }));
}

/**
 * Ends the sessions of a person but one.
 * @param token of the session that stays; undefined: none does
 */
export async function endOtherSessions(db: Queryable, userId: number, token: string | undefined): Promise<void> {
  await db.query("delete from sessions where user_id = $1 and token <> $2", [
    userId,
    token === undefined ? "" : hashSessionToken(token),
  ]);
}

/** Takes every second factor of a person away, and ends their sessions: a person with the password alone signs in anew. */
export async function removeSecondFactors(db: Queryable, userId: number): Promise<void> {
  await db.query("delete from two_factors where user_id = $1", [userId]);
  await db.query("delete from passkeys where user_id = $1", [userId]);
  await db.query("update users set two_factor_enabled = false, updated_at = now() where id = $1", [userId]);
  await db.query("delete from sessions where user_id = $1", [userId]);
}

/** Encrypts what an earlier secret has encrypted with the present one, so that the earlier one may go. */
export async function resealSecondFactors(db: Queryable, auth: Auth): Promise<void> {
  const { secretConfig: key } = await auth.$context;
  if (typeof key === "string") return;
  const rows = await db.query<{ id: number; secret: string; backup_codes: string }>(
    "select id, secret, backup_codes from two_factors where secret not like $1 or backup_codes not like $1",
    [`$ba$${key.currentVersion}$%`],
  );
  for (const { id, secret, backup_codes } of rows) {
    const reseal = async (data: string) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
    // A code that is used meanwhile changes the row: what it wrote stays, and the next start reseals it.
    await db.query(
      "update two_factors set secret = $2, backup_codes = $3 where id = $1 and secret = $4 and backup_codes = $5",
      [id, await reseal(secret), await reseal(backup_codes), secret, backup_codes],
    );
  }
}
