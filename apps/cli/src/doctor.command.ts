import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { connectDatabase } from "@oven/db";
import { dropEmptyVariables, findSecret, readDatabaseSettings } from "@oven/installation/environment";
import { toText } from "./doctor/to-text.ts";
import type { OvenCommand } from "./oven-command.ts";

const OPTIONS = { json: { type: "boolean", default: false } } as const;

/** What a person should know and do before this version of OVEN opens the database. It only reads. Ends with 1 when there is something to do. */
export const doctorCommand: OvenCommand = {
  name: "doctor",
  usage: "doctor [--json]   (with the server's environment; the embedded database is read while no server runs on it)",
  async run(args, write) {
    const { values } = parseArgs({ args, options: OPTIONS });
    return runDoctor({ ...process.env }, values, write);
  },
};

export async function runDoctor(
  variables: Record<string, string | undefined>,
  { json }: { json: boolean },
  write: (text: string) => void,
): Promise<number> {
  dropEmptyVariables(variables);
  const settings = readDatabaseSettings(variables);
  const { databaseUrl, databaseUrlDirect, dataDir } = settings;
  // Opening it would make one.
  if (databaseUrl === undefined && !existsSync(join(dataDir, "pglite")))
    throw new Error(`There is no database in ${dataDir}: set OVEN_DATA_DIR or DATABASE_URL as the server has them`);
  const { diagnose } = await import("./doctor/diagnose.ts");
  const db = await connectDatabase({ url: databaseUrl, directUrl: databaseUrlDirect, dataDir });
  try {
    const diagnosis = await diagnose(db, { ...settings, variables, secret: findSecret(variables) });
    write(json ? `${JSON.stringify(diagnosis, null, 2)}\n` : toText(diagnosis));
    return diagnosis.findings.length === 0 ? 0 : 1;
  } finally {
    await db.close();
  }
}
