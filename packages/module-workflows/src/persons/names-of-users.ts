import type { Database } from "@oven/db";

/** The names of users, by their ids; those that are gone are left out. */
export async function namesOfUsers(db: Database, users: readonly number[]): Promise<Map<number, string>> {
  if (users.length === 0) return new Map();
  const rows = await db.query<{ id: number; name: string }>(
    "select id, name from users where id = any($1::bigint[])",
    [[...new Set(users)]],
    "names-of-users",
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
