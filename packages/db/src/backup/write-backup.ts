import { createHash } from "node:crypto";
import { OVEN_VERSION } from "@oven/contract";
import { BACKUP_FORMAT, type BackupHeader, type BackupTotal } from "@oven/contract/system";
import { listAllApplied } from "../applied-migrations.ts";
import type { Database } from "../database.ts";
import { readSequences, readTables } from "./catalogue.ts";
import { fixTexts, rowLines } from "./row-lines.ts";

export interface Progress {
  table: string;
  /** From 1. */
  position: number;
  tables: number;
  /** Rows so far, of all tables. */
  rows: number;
}

export interface BackupContent {
  secret: BackupHeader["secret"];
  onProgress?: (progress: Progress) => void;
}

/**
 * Hands the text of a backup to `take`, piece by piece: everything as it was at one instant, while others go on writing.
 * @param take resolves when the next piece may come
 * @throws OvenError as the database does; what `take` throws
 */
export function writeBackup(
  db: Database,
  { secret, onProgress }: BackupContent,
  take: (text: string) => Promise<void>,
): Promise<BackupTotal> {
  const whole = createHash("sha256");
  const write = async (text: string): Promise<void> => {
    whole.update(text);
    await take(text);
  };
  return db.system.readSnapshot(async (tx) => {
    await fixTexts(tx);
    const tables = await readTables(tx);
    const [now] = await tx.query<{ at: Date }>("select now() as at");
    const header: BackupHeader = {
      format: BACKUP_FORMAT,
      version: OVEN_VERSION,
      madeAt: (now?.at ?? new Date()).toISOString(),
      database: db.dialect,
      secret,
      migrations: await listAllApplied(tx),
    };
    await write(`${JSON.stringify(header)}\n`);
    let rows = 0;
    for (const [index, table] of tables.entries()) {
      const hash = createHash("sha256");
      const before = rows;
      onProgress?.({ table: table.name, position: index + 1, tables: tables.length, rows });
      await write(`${JSON.stringify({ table: table.name, columns: table.columns })}\n`);
      for await (const lines of rowLines(tx, table)) {
        const text = `${lines.join("\n")}\n`;
        rows += lines.length;
        hash.update(text);
        await write(text);
      }
      await write(`${JSON.stringify({ end: table.name, rows: rows - before, sha256: hash.digest("hex") })}\n`);
    }
    await write(`${JSON.stringify({ sequences: await readSequences(tx) })}\n`);
    const total: BackupTotal = { tables: tables.length, rows, sha256: whole.digest("hex") };
    await take(`${JSON.stringify(total)}\n`);
    return total;
  });
}
