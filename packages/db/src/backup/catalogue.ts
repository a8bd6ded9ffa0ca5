import type { BackupSequences } from "@oven/contract/system";
import type { Queryable } from "../database.ts";

export interface Column {
  name: string;
  /** As PostgreSQL writes it: `timestamp with time zone`. */
  type: string;
}

export interface Table {
  name: string;
  columns: Column[];
  /** The primary key, by which rows are put in order; `isText` when the order depends on a collation. */
  key: { name: string; isText: boolean }[];
}

/** Made anew by the migrations that a backup names. */
const OF_THE_MIGRATOR = /^oven_migrations_/;
/** How far a restore has come. */
export const RESTORE_TABLE = "oven_restore";

/**
 * The tables whose rows make up an installation: all of the schema `public`. Those of the queue are left out: a job only says "look at
 * this run", and workers look for runs by themselves.
 * @returns referenced tables before those that refer to them
 * @throws Error when a table has no primary key, or tables refer to each other in a circle
 */
export async function readTables(db: Queryable): Promise<Table[]> {
  const columns = await db.query<{ table: string; name: string; type: string }>(
    `select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' order by c.relname, a.attnum`,
  );
  const keys = await db.query<{ table: string; name: string; isText: boolean }>(
    `select c.relname as "table", a.attname as name, a.attcollation <> 0 as "isText"
     from pg_index i join pg_class c on c.oid = i.indrelid
     cross join lateral unnest(i.indkey::smallint[]) with ordinality as k(number, position)
     join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
     where c.relnamespace = 'public'::regnamespace and i.indisprimary order by c.relname, k.position`,
  );
  const keysOf = Map.groupBy(keys, ({ table }) => table);
  const tables = [...Map.groupBy(columns, ({ table }) => table)]
    .filter(([name]) => !OF_THE_MIGRATOR.test(name) && name !== RESTORE_TABLE)
    .map(([name, own]) => ({
      name,
      columns: own.map((column) => ({ name: column.name, type: column.type })),
      key: (keysOf.get(name) ?? []).map((column) => ({ name: column.name, isText: column.isText })),
    }));
  const without = tables.filter(({ key }) => key.length === 0).map(({ name }) => name);
  if (without.length > 0) throw new Error(`tables without a primary key: ${without.join(", ")}`);
  return inOrder(db, tables);
}

/** The sequences, with the numbers that they have given out at least. */
export async function readSequences(db: Queryable): Promise<BackupSequences["sequences"]> {
  const named = await db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname`,
  );
  const sequences = [];
  for (const { name } of named.filter((one) => !OF_THE_MIGRATOR.test(one.name))) {
    const [row] = await db.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${quoted(name)}`,
    );
    if (row !== undefined) sequences.push({ name, ...row });
  }
  return sequences;
}

/** A name as it stands in SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

async function inOrder(db: Queryable, tables: readonly Table[]): Promise<Table[]> {
  const references = await db.query<{ table: string; to: string }>(
    `select distinct c.relname as "table", t.relname as "to" from pg_constraint f
     join pg_class c on c.oid = f.conrelid join pg_class t on t.oid = f.confrelid
     where f.contype = 'f' and c.relnamespace = 'public'::regnamespace and c.oid <> t.oid`,
  );
  const ordered: Table[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const blocked = new Set(references.filter(({ to }) => names.has(to)).map(({ table }) => table));
    const ready = waiting.filter(({ name }) => !blocked.has(name));
    if (ready.length === 0) throw new Error(`tables that refer to each other in a circle: ${[...names].join(", ")}`);
    ordered.push(...ready);
    waiting = waiting.filter(({ name }) => blocked.has(name));
  }
  return ordered;
}
