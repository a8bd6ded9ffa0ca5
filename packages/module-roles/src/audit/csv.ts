import { type AuditEntry, AuditEntrySchema } from "@oven/contract/access";

const COLUMNS = Object.keys(AuditEntrySchema.shape) as (keyof AuditEntry)[]; // cast: the keys of that very schema

export function toCsvHead(): string {
  return `${COLUMNS.join(",")}\r\n`;
}

/** One line of RFC 4180. */
export function toCsvRow(entry: AuditEntry): string {
  return `${COLUMNS.map((column) => toCell(entry[column])).join(",")}\r\n`;
}

/** A text that a spreadsheet would take for a formula gets an apostrophe: user agents are chosen by strangers. */
function toCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
