import { OVEN_VERSION, OvenError } from "@oven/contract";
import type { Queryable, Row } from "./database.ts";
import {
  type MigrationFile,
  type MigrationSet,
  migrationsTableOf,
  moduleOf,
  readMigrations,
} from "./migration-files.ts";

/*
 * The migrator's own tables hold a hash and the time at which a migration was generated. What a person needs to read when an
 * older OVEN meets a newer database, names and the version that applied them, is in `oven_applied_migrations`.
 */

/** What the migrator's own tables tell. */
export interface AppliedMigration {
  module: string;
  hash: string;
  madeAt: number;
}

interface NamedMigration extends AppliedMigration {
  /** Null for what was applied before names were recorded. */
  tag: string | null;
  /** Version of OVEN that applied it. */
  version: string | null;
}

export async function listApplied(db: Queryable, sets: readonly MigrationSet[]): Promise<AppliedMigration[]> {
  const tables = await db.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename = any($1)",
    [sets.map(migrationsTableOf)],
  );
  const isThere = new Set(tables.map(({ name }) => name));
  const listed = sets.filter((set) => isThere.has(migrationsTableOf(set)));
  if (listed.length === 0) return [];
  // The names are the modules' own, and they are in the code.
  const selects = listed.map(
    (set) =>
      `select '${set.name}' as module, hash, created_at::float8 as "madeAt" from public.${migrationsTableOf(set)}`,
  );
  return db.query<AppliedMigration & Row>(selects.join(" union all "));
}

/** The same of every module whose tables are there, also of one that is not installed any more, such as the demo. */
export async function listAllApplied(db: Queryable): Promise<AppliedMigration[]> {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname like 'oven\\_migrations\\_%' order by relname`,
  );
  const applied: AppliedMigration[] = [];
  for (const { name } of tables) {
    const rows = await db.query<{ hash: string; madeAt: number }>(
      `select hash, created_at::float8 as "madeAt" from public.${name} order by created_at`,
    );
    applied.push(...rows.map((row) => ({ module: moduleOf(name), ...row })));
  }
  return applied;
}

/** What of a set's files the migrator will apply: it goes by the time of the last one. */
export function missingOf(
  name: string,
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): MigrationFile[] {
  const last = Math.max(...applied.filter(({ module }) => module === name).map(({ madeAt }) => madeAt));
  return files.filter(({ madeAt }) => madeAt > last);
}

/**
 * What a start of this OVEN would apply, as `0003_drafts of module-x`: all migrations of a new database, or those of a newer code
 * when a backup from before an upgrade was put back. The files are read once.
 */
export function createPendingMigrations(sets: readonly MigrationSet[]): (db: Queryable) => Promise<string[]> {
  let files: [string, readonly MigrationFile[]][] | undefined;
  return async (db) => {
    files ??= sets.map((set) => [set.name, readMigrations(set)]);
    const applied = await listApplied(db, sets);
    return files.flatMap(([name, own]) => missingOf(name, own, applied).map(({ tag }) => `${tag} of ${name}`));
  };
}

/**
 * What a start of this OVEN would apply, of a database that it would open.
 * @throws OvenError DATABASE_NEWER
 */
export async function listPending(
  db: Queryable,
  sets: readonly MigrationSet[],
  version = OVEN_VERSION,
): Promise<string[]> {
  await requireKnownMigrations(db, sets, await listApplied(db, sets), version);
  return createPendingMigrations(sets)(db);
}

/**
 * Refuses data that a newer OVEN has written: applied migrations that this code does not have, or any of a module that is not
 * installed here and came with a newer version. A module that was left out, such as the demo, does not count.
 * @throws OvenError DATABASE_NEWER
 */
export async function requireKnownMigrations(
  db: Queryable,
  sets: readonly MigrationSet[],
  applied: readonly AppliedMigration[],
  version: string,
): Promise<void> {
  const records = await recordsOf(db);
  const known = new Map(sets.map((set) => [set.name, readMigrations(set)]));
  const unknown = applied
    .filter((row) => known.get(row.module)?.every(({ hash, madeAt }) => hash !== row.hash && madeAt !== row.madeAt))
    .map((row): NamedMigration => {
      const record = records.find(({ module, madeAt }) => module === row.module && madeAt === row.madeAt);
      return record ?? { ...row, tag: null, version: null };
    });
  const ofOthers = records.filter((record) => !known.has(record.module) && compare(record.version, version) > 0);
  const refused = [...unknown, ...ofOthers];
  if (refused.length === 0) return;
  throw new OvenError(
    "DATABASE_NEWER",
    `The database has migrations that this OVEN ${version} does not know: ${refused.map(toText).join(", ")}`,
    { status: 503, fix: toFix(refused, version) },
  );
}

/** To be called once they are applied. */
export async function recordMigrations(
  db: Queryable,
  { name }: MigrationSet,
  migrations: readonly MigrationFile[],
  version: string,
): Promise<void> {
  if (migrations.length === 0) return;
  await db.query(`create table if not exists public.oven_applied_migrations (
    module text not null, hash text not null, tag text not null, made_at bigint not null, oven_version text not null,
    applied_at timestamptz not null default now(), primary key (module, made_at))`);
  await db.query(
    `insert into public.oven_applied_migrations (module, hash, tag, made_at, oven_version)
     select $1::text, unnest($2::text[]), unnest($3::text[]), unnest($4::bigint[]), $5::text on conflict do nothing`,
    [
      name,
      migrations.map(({ hash }) => hash),
      migrations.map(({ tag }) => tag),
      migrations.map(({ madeAt }) => madeAt),
      version,
    ],
  );
}

async function recordsOf(db: Queryable): Promise<NamedMigration[]> {
  const [table] = await db.query<{ found: boolean }>(
    "select to_regclass('public.oven_applied_migrations') is not null as found",
  );
  if (table?.found !== true) return [];
  return db.query<NamedMigration & Row>(
    `select module, hash, made_at::float8 as "madeAt", tag, oven_version as version
     from public.oven_applied_migrations order by made_at`,
  );
}

function toText({ module, tag, madeAt, version }: NamedMigration): string {
  const name = tag ?? `one of ${dayOf(madeAt)}, whose name was not recorded,`;
  return `${name} of ${module}${version === null ? "" : ` (applied by OVEN ${version})`}`;
}

function toFix(unknown: readonly NamedMigration[], version: string): string {
  const newest =
    unknown
      .map((one) => one.version)
      .toSorted(compare)
      .at(-1) ?? null;
  const backup = "or restore a backup from before the upgrade";
  if (newest === null) {
    const day = dayOf(Math.max(...unknown.map(({ madeAt }) => madeAt)));
    return `Start a version of OVEN that was made on ${day} or later, ${backup}.`;
  }
  const another = compare(newest, version) > 0 ? "" : ", in a later build than this one";
  return `Start OVEN ${newest} or newer${another}, ${backup}.`;
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** Below zero when the first is older; what has no version is oldest. */
function compare(first: string | null, second: string | null): number {
  return (first ?? "").localeCompare(second ?? "", "en", { numeric: true });
}
