import { statfs } from "node:fs/promises";
import { isOvenError } from "@oven/contract";
import { defineGauge, type GaugeValue } from "./define/define-gauge.ts";

/** Room where the data directory is; nothing where this process has none. */
async function roomOf(dataDir: string, count: "bavail" | "blocks"): Promise<GaugeValue[]> {
  try {
    const room = await statfs(dataDir);
    return [{ value: room[count] * room.bsize }];
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** What is measured of the places that OVEN writes to. */
export const storageGauges = [
  defineGauge({
    name: "oven_data_dir_free_bytes",
    help: "Room left on the disk of OVEN_DATA_DIR",
    read: ({ environment }) => roomOf(environment.dataDir, "bavail"),
  }),
  defineGauge({
    name: "oven_data_dir_size_bytes",
    help: "Size of the disk of OVEN_DATA_DIR",
    read: ({ environment }) => roomOf(environment.dataDir, "blocks"),
  }),
  defineGauge({
    name: "oven_database_size_bytes",
    help: "Size of the database",
    read: async ({ db }) => {
      const [row] = await db.system.query<{ bytes: number }>(
        "select pg_database_size(current_database())::float8 as bytes",
      );
      return row === undefined ? [] : [{ value: row.bytes }];
    },
  }),
  defineGauge({
    name: "oven_database_writable",
    help: "1: the database's disk has room to write; 0: it is full",
    read: async ({ db }) => {
      try {
        await db.system.probeStorage();
        return [{ value: 1 }];
      } catch (error) {
        if (isOvenError(error) && error.code === "STORAGE_FULL") return [{ value: 0 }];
        throw error;
      }
    },
  }),
];
