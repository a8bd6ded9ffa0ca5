import type { Queryable } from "@oven/db";

/** How long a code is remembered, in seconds: longer than any code is valid (three steps of 30 s). */
const REMEMBERED = 120;

/** Whether it looks like a code of an app; else it may be a recovery code. */
export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(code);
}

/** As apps show codes, in two groups, and as people type recovery codes. */
export function toPlainCode(typed: string): string {
  const code = typed.replace(/\s+/g, "");
  return /^\d{3}-\d{3}$/.test(code) ? code.replace("-", "") : code;
}

/**
 * Takes a code before it is checked; false when it was tried before. A code that another person has seen being typed, or that two
 * requests bring at once, is good for one.
 * @param nowMs the clock that codes go by
 */
export async function takeCode(db: Queryable, userId: number, code: string, nowMs: number): Promise<boolean> {
  const rows = await db.query(
    `update two_factors set used_codes =
       array(select c from unnest(used_codes) c where split_part(c, '@', 2)::bigint > $3::bigint - ${REMEMBERED})
       || ($2::text || '@' || $3::bigint)
     where user_id = $1 and not exists (
       select from unnest(used_codes) c
       where split_part(c, '@', 1) = $2::text and split_part(c, '@', 2)::bigint > $3::bigint - ${REMEMBERED})
     returning id`,
    [userId, code, Math.floor(nowMs / 1_000)],
  );
  return rows.length > 0;
}
