import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { OvenError } from "@oven/contract";
import {
  type BackupHeader,
  BackupHeaderSchema,
  type BackupSequences,
  BackupSequencesSchema,
  type BackupTable,
  type BackupTableEnd,
  BackupTableEndSchema,
  BackupTableSchema,
  type BackupTotal,
  BackupTotalSchema,
} from "@oven/contract/system";
import { splitLines } from "./split-lines.ts";

/** What a backup is made of, in the order in which it comes. The lines of `rows` are JSON arrays of texts, checked by their digest only. */
export type BackupPart =
  | { kind: "header"; header: BackupHeader }
  | { kind: "table"; table: BackupTable }
  | { kind: "rows"; lines: string[] }
  | { kind: "end"; end: BackupTableEnd }
  | { kind: "sequences"; sequences: BackupSequences["sequences"] }
  | { kind: "total"; total: BackupTotal };

const BRACKET = "[".charCodeAt(0);

/**
 * Reads a backup from its beginning. Every digest is compared when its line comes.
 * @throws OvenError BACKUP_DAMAGED, naming the place, when the file is cut short, changed, or no backup; BACKUP_FORMAT_UNKNOWN
 */
export async function* readBackup(path: string): AsyncGenerator<BackupPart> {
  const reading = new Reading(path);
  try {
    for await (const lines of splitLines(openText(path))) yield* reading.take(lines);
  } catch (error) {
    // What gunzip says of a file that is cut short or is none of its own.
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))
      throw damaged(path, error.message);
    throw error;
  }
  reading.requireWhole();
}

/**
 * The first line of a backup; the rest is not looked at.
 * @throws OvenError BACKUP_DAMAGED, BACKUP_FORMAT_UNKNOWN
 */
export async function readBackupHeader(path: string): Promise<BackupHeader> {
  for await (const part of readBackup(path)) if (part.kind === "header") return part.header;
  throw damaged(path, "it has no beginning");
}

/**
 * Reads a whole backup and throws it away.
 * @returns its first and last line
 * @throws OvenError BACKUP_DAMAGED, BACKUP_FORMAT_UNKNOWN
 */
export async function checkBackup(path: string): Promise<{ header: BackupHeader; total: BackupTotal }> {
  let header: BackupHeader | undefined;
  let total: BackupTotal | undefined;
  for await (const part of readBackup(path)) {
    if (part.kind === "header") header = part.header;
    if (part.kind === "total") total = part.total;
  }
  if (header === undefined || total === undefined) throw damaged(path, "it has no beginning or no end");
  return { header, total };
}

function openText(path: string): Readable {
  const file = createReadStream(path);
  const text = createGunzip();
  file.on("error", (error) => text.destroy(error));
  return file.pipe(text);
}

/** Where in a backup the reader is, and what it has counted. */
class Reading {
  readonly #path: string;
  readonly #whole: Hash = createHash("sha256");
  #at: "start" | "tables" | "in a table" | "total" | "done" = "start";
  #table: { name: string; rows: number; hash: Hash } | undefined;
  #tables = 0;
  #rows = 0;

  constructor(path: string) {
    this.#path = path;
  }

  *take(lines: readonly Buffer[]): Generator<BackupPart> {
    let rows: string[] = [];
    for (const line of lines) {
      if (line[0] === BRACKET && this.#table !== undefined) {
        rows.push(this.#row(line, this.#table));
        continue;
      }
      if (rows.length > 0) yield { kind: "rows", lines: rows };
      rows = [];
      yield this.#other(line);
    }
    if (rows.length > 0) yield { kind: "rows", lines: rows };
  }

  requireWhole(): void {
    if (this.#at !== "done") throw damaged(this.#path, `it is cut short: its last line is missing (${this.#place()})`);
  }

  #row(line: Buffer, table: { rows: number; hash: Hash }): string {
    table.hash.update(line).update("\n");
    this.#whole.update(line).update("\n");
    table.rows += 1;
    this.#rows += 1;
    return line.toString("utf8");
  }

  #other(line: Buffer): BackupPart {
    const value = this.#parse(line);
    if (this.#at === "done") throw damaged(this.#path, "lines come after its last one");
    if (this.#at !== "total") this.#whole.update(line).update("\n");
    if (this.#at === "start") {
      this.#at = "tables";
      return { kind: "header", header: this.#header(value) };
    }
    if (this.#at === "in a table") return { kind: "end", end: this.#end(value) };
    if (this.#at === "total") return { kind: "total", total: this.#total(value) };
    const sequences = BackupSequencesSchema.safeParse(value);
    if (sequences.success && this.#at === "tables") {
      this.#at = "total";
      return { kind: "sequences", sequences: sequences.data.sequences };
    }
    const table = BackupTableSchema.safeParse(value);
    if (!table.success || this.#at !== "tables") throw damaged(this.#path, `a line is out of place ${this.#place()}`);
    this.#at = "in a table";
    this.#table = { name: table.data.table, rows: 0, hash: createHash("sha256") };
    return { kind: "table", table: table.data };
  }

  #parse(line: Buffer): unknown {
    try {
      return JSON.parse(line.toString("utf8"));
    } catch (error) {
      if (error instanceof SyntaxError) throw damaged(this.#path, `a line is no JSON (${this.#place()})`);
      throw error;
    }
  }

  #header(value: unknown): BackupHeader {
    const header = BackupHeaderSchema.safeParse(value);
    if (header.success) return header.data;
    const { format } = typeof value === "object" && value !== null && "format" in value ? value : { format: undefined };
    if (typeof format !== "number") throw damaged(this.#path, "it is no backup of OVEN");
    throw new OvenError(
      "BACKUP_FORMAT_UNKNOWN",
      `${this.#path} has the format ${format}, which this OVEN cannot read`,
      {
        fix: "Restore it with the version of OVEN that made it, or a newer one.",
        cause: header.error,
      },
    );
  }

  #end(value: unknown): BackupTableEnd {
    const { data } = BackupTableEndSchema.safeParse(value);
    const table = this.#table;
    const isRight =
      data !== undefined &&
      table !== undefined &&
      data.end === table.name &&
      data.rows === table.rows &&
      data.sha256 === table.hash.digest("hex");
    if (!isRight) throw damaged(this.#path, `the rows of ${table?.name} do not have the digest that the file names`);
    this.#at = "tables";
    this.#table = undefined;
    this.#tables += 1;
    return data;
  }

  #total(value: unknown): BackupTotal {
    const { data } = BackupTotalSchema.safeParse(value);
    const isRight =
      data !== undefined &&
      data.tables === this.#tables &&
      data.rows === this.#rows &&
      data.sha256 === this.#whole.digest("hex");
    if (!isRight) throw damaged(this.#path, "its lines do not have the digest that the file names");
    this.#at = "done";
    return data;
  }

  #place(): string {
    return this.#table === undefined ? `after ${this.#tables} tables` : `in ${this.#table.name}`;
  }
}

function damaged(path: string, what: string): OvenError {
  return new OvenError("BACKUP_DAMAGED", `The backup ${path} cannot be used: ${what}`, {
    fix: "Copy the file again from where it was made, or take an earlier backup.",
  });
}
