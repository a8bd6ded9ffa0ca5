import { OvenError } from "@oven/contract";
import type { BackupHeader, BackupSequences, BackupTable, BackupTableEnd, BackupTotal } from "@oven/contract/system";
import type { Database, Queryable, Row } from "../database.ts";
import type { MigrationSet } from "../migration-files.ts";
import { quoted, RESTORE_TABLE, readTables, type Table } from "./catalogue.ts";
import { migrateUntil, requireKnown } from "./migrate-until.ts";
import { checkBackup, readBackup } from "./read-backup.ts";
import { digestTable, fixTexts, toValue } from "./row-lines.ts";
import type { Progress } from "./write-backup.ts";

export interface RestoreOptions {
  /** Of every module that this code has. */
  sets: readonly MigrationSet[];
  onProgress?: (progress: Progress & { step: "restore" | "compare" }) => void;
}

/** What is inserted at once, and with it how far the restore has come. */
const BATCH_CHARACTERS = 1_048_576;
const BATCH_ROWS = 1_000;

/** How far a restore has come: tables before `position` are there, and `rows` of the next one. */
interface Point {
  position: number;
  rows: number;
}

/**
 * Fills an empty database from a backup, with the tables as they were where it was made; a server that starts on it applies what is newer.
 * The file is checked before anything is written, and what was written is compared with its digests. A restore that was stopped goes on
 * when it is called again with the same file; until it is through, no server starts on the database.
 * @throws OvenError BACKUP_DAMAGED, BACKUP_FORMAT_UNKNOWN, BACKUP_NEWER, RESTORE_NOT_EMPTY, RESTORE_DIFFERS
 */
export async function restoreBackup(
  db: Database,
  path: string,
  { sets, onProgress }: RestoreOptions,
): Promise<{ header: BackupHeader; total: BackupTotal }> {
  const { header, total } = await checkBackup(path);
  requireKnown(sets, header);
  const start = await begin(db.system, total);
  await migrateUntil(db.system, sets, header);
  // Names and versions of the migrations come with the rows.
  if (start.position === 0 && start.rows === 0) await clearMigrationNames(db.system);
  const tables = new Map((await readTables(db.system)).map((table) => [table.name, table]));
  const restore = new Restore(db.system, tables, start, (progress) =>
    onProgress?.({ ...progress, tables: total.tables, step: "restore" }),
  );
  for await (const part of readBackup(path)) {
    if (part.kind === "table") restore.begin(part.table);
    else if (part.kind === "rows") await restore.add(part.lines);
    else if (part.kind === "end") await restore.end(part.end);
    else if (part.kind === "sequences") restore.sequences = part.sequences;
  }
  await restore.compare((progress) => onProgress?.({ ...progress, tables: total.tables, step: "compare" }));
  await restore.finish();
  return { header, total };
}

/**
 * Claims an empty database for this backup, or finds where its restore stopped.
 * @throws OvenError RESTORE_NOT_EMPTY
 */
function begin(db: Database, { sha256 }: BackupTotal): Promise<Point> {
  return db.transaction(async (tx) => {
    const [there] = await tx.query<{ tables: string[] }>(
      `select array(select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) as tables`,
    );
    if (await hasBegun(tx)) {
      const [point] = await tx.query<Point & Row & { backup: string }>(
        `select backup, position, rows::float8 as rows from public.${RESTORE_TABLE}`,
      );
      if (point?.backup !== sha256) throw notEmpty("another backup is being restored into it");
      return { position: point.position, rows: point.rows };
    }
    const tables = there?.tables ?? [];
    if (tables.length > 0) throw notEmpty(`it has ${tables.length} tables, such as ${tables[0]}`);
    await tx.query(
      `create table public.${RESTORE_TABLE} (backup text not null, position integer not null, rows bigint not null)`,
    );
    await tx.query(`insert into public.${RESTORE_TABLE} values ($1, 0, 0)`, [sha256]);
    return { position: 0, rows: 0 };
  });
}

/** Whether a restore into this database has begun and is not through. */
export async function hasBegun(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(
    `select to_regclass('public.${RESTORE_TABLE}') is not null as found`,
  );
  return row?.found === true;
}

async function clearMigrationNames(db: Queryable): Promise<void> {
  const [row] = await db.query<{ found: boolean }>(
    "select to_regclass('public.oven_applied_migrations') is not null as found",
  );
  if (row?.found === true) await db.query("delete from public.oven_applied_migrations");
}

class Restore {
  readonly #db: Database;
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #start: Point;
  readonly #onProgress: (progress: Omit<Progress, "tables">) => void;
  readonly #ends: { table: Table; end: BackupTableEnd }[] = [];
  #table: Table | undefined;
  #batch: string[] = [];
  #characters = 0;
  /** Rows of this table that have come, and of those before. */
  #rows = 0;
  #rowsBefore = 0;
  sequences: BackupSequences["sequences"] = [];

  constructor(
    db: Database,
    tables: ReadonlyMap<string, Table>,
    start: Point,
    onProgress: (progress: Omit<Progress, "tables">) => void,
  ) {
    this.#db = db;
    this.#tables = tables;
    this.#start = start;
    this.#onProgress = onProgress;
  }

  /** Names and types go into statements as the database has them, not as the file says. */
  begin({ table: name, columns }: BackupTable): void {
    const known = this.#tables.get(name);
    const own = columns.map((column) =>
      known?.columns.find((one) => one.name === column.name && one.type === column.type),
    );
    const found = own.filter((column) => column !== undefined);
    if (known === undefined || found.length !== columns.length || found.length !== known.columns.length)
      throw differs(`the table ${name} has other columns in the backup than its migrations make`);
    this.#table = { ...known, columns: found };
    this.#rows = 0;
    this.#report();
  }

  async add(lines: readonly string[]): Promise<void> {
    for (const line of lines) {
      this.#rows += 1;
      const { position, rows } = this.#start;
      if (this.#ends.length < position || (this.#ends.length === position && this.#rows <= rows)) continue;
      this.#batch.push(line);
      this.#characters += line.length;
      if (this.#characters >= BATCH_CHARACTERS || this.#batch.length >= BATCH_ROWS)
        await this.#insert({ position: this.#ends.length, rows: this.#rows });
    }
  }

  async end(end: BackupTableEnd): Promise<void> {
    if (this.#table === undefined) throw new Error("a table ends before it begins");
    const position = this.#ends.length + 1;
    if (position > this.#start.position) await this.#insert({ position, rows: 0 });
    this.#ends.push({ table: this.#table, end });
    this.#rowsBefore += this.#rows;
    this.#table = undefined;
  }

  /** @throws OvenError RESTORE_DIFFERS */
  async compare(onProgress: (progress: Omit<Progress, "tables">) => void): Promise<void> {
    let rows = 0;
    for (const [index, { table, end }] of this.#ends.entries()) {
      onProgress({ table: table.name, position: index + 1, rows });
      const there = await this.#db.transaction(async (tx) => {
        await fixTexts(tx);
        return digestTable(tx, table);
      });
      if (there.rows !== end.rows || there.sha256 !== end.sha256)
        throw differs(
          `the table ${table.name} has ${there.rows} rows, and the backup ${end.rows}, or their contents differ`,
        );
      rows += there.rows;
    }
  }

  async finish(): Promise<void> {
    await this.#db.transaction(async (tx) => {
      for (const { name, value, isCalled } of this.sequences)
        await tx.query("select setval($1::text::regclass, $2::text::bigint, $3::boolean)", [
          `public.${quoted(name)}`,
          value,
          isCalled,
        ]);
      await tx.query(`drop table public.${RESTORE_TABLE}`);
    });
    await this.#db.query("analyze");
  }

  /** The rows and how far they bring the restore are one transaction. */
  async #insert({ position, rows }: Point): Promise<void> {
    const table = this.#table;
    if (table === undefined) throw new Error("rows come before their table");
    const batch = `[${this.#batch.join(",")}]`;
    const isEmpty = this.#batch.length === 0;
    this.#batch = [];
    this.#characters = 0;
    await this.#db.transaction(async (tx) => {
      if (!isEmpty) await tx.query(insertStatement(table), [batch]);
      await tx.query(`update public.${RESTORE_TABLE} set position = $1::integer, rows = $2::bigint`, [position, rows]);
    });
    this.#report();
  }

  #report(): void {
    this.#onProgress({
      table: this.#table?.name ?? "",
      position: this.#ends.length + 1,
      rows: this.#rowsBefore + this.#rows,
    });
  }
}

function insertStatement({ name, columns }: Table): string {
  const names = columns.map((column) => quoted(column.name));
  const values = columns.map(({ type }, index) => toValue(`r.line->>${index}`, type));
  return `insert into public.${quoted(name)} (${names.join(", ")}) overriding system value
    select ${values.join(", ")} from json_array_elements($1::text::json) as r(line)`;
}

/** The error for a place that has something. */
export function notEmpty(what: string): OvenError {
  return new OvenError("RESTORE_NOT_EMPTY", `The database is not empty: ${what}`, {
    fix: "Restore into a new, empty database or data directory; nothing was changed in this one.",
  });
}

function differs(what: string): OvenError {
  return new OvenError("RESTORE_DIFFERS", `What was restored is not what the backup has: ${what}`, {
    fix: "Drop the database that was restored into, and restore again; report it if it happens twice.",
  });
}
