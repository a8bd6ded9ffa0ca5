/*
 * Tolerant readers: the graph is drawn while its JSON is being typed, so nothing may be taken for granted and
 * nothing may throw. What is wrong with a definition is the validator's business.
 */
export type Loose = Record<string, unknown>;

export function toRecord(value: unknown): Loose {
  // cast: an object that is neither null nor an array has string keys
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}

export function isRecord(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
