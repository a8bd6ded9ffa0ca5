import type { Json } from "@oven/contract";
import { exactJson, tenantColumn } from "@oven/db";
import { bigint, customType, pgTable, text, timestamp, varchar } from "@oven/db/pg-core";

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });
/** Of either kind of runs: no foreign key. */
const executionId = () => bigint("execution_id", { mode: "number" }).primaryKey();
/** When the run ended: what is stored of its receipt goes with what is stored of the run, whenever it was asked for. */
const endedAt = () => timestamp("ended_at", { withTimezone: true }).notNull();

/** The one receipt of a run, from the first time it was asked for. */
export const runReceipts = pgTable("run_receipts", {
  executionId: executionId(),
  tenantId: tenantColumn(),
  /** Where the chain of its log ended. A log that ends elsewhere now has been changed. */
  head: varchar("head", { length: 64 }).notNull(),
  /** The signed line, as it was given out. */
  file: text("file").notNull(),
  certificate: exactJson("certificate").$type<Json>(),
  /** The versions that it was made of, as they were then. */
  used: exactJson("used").$type<Json>().notNull(),
  /** The log without data, for the time when the run's own is gone: lines, compressed by gzip. */
  digests: bytes("digests").notNull(),
  endedAt: endedAt(),
});

/** What digests of a run's data are salted with. It goes with the data, so that a digest does not let anyone guess what was there. */
export const runReceiptSalts = pgTable("run_receipt_salts", {
  executionId: executionId(),
  tenantId: tenantColumn(),
  salt: varchar("salt", { length: 43 }).notNull(),
  endedAt: endedAt(),
});
