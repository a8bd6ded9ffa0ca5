import type { Queryable } from "@oven/db";

/** Cannot be changed, so that what was done stays provable; it has numbers of accounts, which name no one once these are gone. */
export const RETAINED_TABLES: readonly string[] = ["audit_log"];
/** A tenant's own row belongs to the first tenant. */
const NOT_THEIRS = ["tenants"];

/** What work loops take rows by: such tables go first, so that nothing new begins while the others go. */
const TAKEN_BY = ["due_at", "claimed_until", "lease_until", "next_attempt_at"];

/** Columns that exports leave out: secrets, and hashes of secrets. */
const SECRET_COLUMN =
  /^(token|token_hash|token_sealed|secret_hash|access_token|refresh_token|id_token|lease_token|code_hash|state_hash|password|secret|backup_codes|used_codes|client_secret|sealed|proof|headers|key_id|argument_digest|authorization_code_id|confirmation|rotation_replay_response)$/;
const SECRETS: Readonly<Record<string, readonly string[]>> = { api_keys: ["key"], verifications: ["value"] };
/** Names that say another thing in these tables. */
const NO_SECRETS: Readonly<Record<string, readonly string[]>> = {
  audit_log: ["key_id"],
  ai_usage_logs: ["key_id"],
  api_key_addresses: ["key_id"],
};

export interface TenantTable {
  name: string;
  /** Without secrets. */
  columns: string[];
}

/** Every table with rows of tenants, from the database's catalogue: a new table is among them without a word. */
export async function listTenantTables(db: Queryable): Promise<TenantTable[]> {
  const rows = await db.query<{ name: string; columns: string[]; taken: boolean }>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns,
       bool_or(a.attname = any($1::text[])) as taken
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all($2::text[])
     group by c.relname having bool_or(a.attname = 'tenant_id') order by 3 desc, 1`,
    [TAKEN_BY, NOT_THEIRS],
  );
  return rows.map(({ name, columns }) => ({ name, columns: columns.filter((column) => !isSecret(name, column)) }));
}

function isSecret(table: string, column: string): boolean {
  if (NO_SECRETS[table]?.includes(column) === true) return false;
  return SECRET_COLUMN.test(column) || SECRETS[table]?.includes(column) === true;
}
