import type { Transaction } from "@oven/db";

/**
 * Does work once for each key: a later call, also of another process, gets what the first one answered.
 * @param key undefined: it is done each time
 */
export async function once<T>(
  tx: Transaction,
  tenantId: number,
  key: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (key === undefined) return work();
  const [claimed] = await tx.query(
    "insert into user_table_writes (tenant_id, key) values ($1::int, $2) on conflict do nothing returning 1 as one",
    [tenantId, key],
  );
  if (claimed === undefined) {
    const [known] = await tx.query<{ result: T }>(
      "select result from user_table_writes where tenant_id = $1::int and key = $2",
      [tenantId, key],
    );
    if (known !== undefined) return known.result;
  }
  const result = await work();
  await tx.query("update user_table_writes set result = $3::text::json where tenant_id = $1::int and key = $2", [
    tenantId,
    key,
    JSON.stringify(result),
  ]);
  return result;
}
