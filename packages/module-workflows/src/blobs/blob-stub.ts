import { createHash } from "node:crypto";
import type { Json } from "@oven/contract";
import type { BlobReference } from "@oven/contract/run";
import { isObject, toSummary } from "@oven/engine";

const MAX_SUMMARY = 500;
const MAX_KEYS = 12;
const MAX_DEPTH = 4;

/**
 * An output as it is kept outside of its row: its bytes (UTF-8 of its JSON, which reads back to the equal value, NUL and lone
 * surrogates included), and the reference, without the id, which only the store gives.
 */
export function toBlobStub(output: Json): { stub: Omit<BlobReference, "$blob">; bytes: Uint8Array } {
  const bytes = Buffer.from(JSON.stringify(output), "utf8");
  return {
    stub: {
      mediaType: "application/json",
      bytes: bytes.byteLength,
      sha256: sha256Of(bytes),
      summary: summarise(output),
    },
    bytes,
  };
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The beginning of a text, or the shape of any other value: `{rows: [1000 × {id: number, name: text}], total: number}`. */
export function summarise(output: Json): string {
  return toSummary(typeof output === "string" ? output : shapeOf(output, MAX_DEPTH)).slice(0, MAX_SUMMARY);
}

function shapeOf(value: Json, depth: number): string {
  if (value === null) return "null";
  if (typeof value === "string") return value.length > 40 ? `text of ${value.length} characters` : "text";
  if (Array.isArray(value)) {
    const [first] = value;
    return first === undefined ? "[]" : `[${value.length} × ${depth === 0 ? "…" : shapeOf(first, depth - 1)}]`;
  }
  if (!isObject(value)) return typeof value;
  const entries = Object.entries(value);
  if (depth === 0 && entries.length > 0) return "{…}";
  const shown = entries.slice(0, MAX_KEYS).map(([key, child]) => `${key.slice(0, 60)}: ${shapeOf(child, depth - 1)}`);
  const rest = entries.length > MAX_KEYS ? [`… ${entries.length - MAX_KEYS} more`] : [];
  return `{${[...shown, ...rest].join(", ")}}`;
}
