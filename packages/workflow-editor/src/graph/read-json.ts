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

export function toNumber(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export interface LooseTransition {
  target: string | null;
  guard: unknown;
  path: string;
}

/** A transition in any of its three forms; entries that are none of them are left out. */
export function readTransitions(value: unknown, path: string): LooseTransition[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => readTransitions(entry, `${path}[${index}]`));
  if (typeof value === "string") return [{ target: value, guard: undefined, path }];
  if (!isRecord(value)) return [];
  return [{ target: typeof value.target === "string" ? value.target : null, guard: value.guard, path }];
}

/** `$.states.review`, or `["…"]` for a key that the short form cannot hold. */
export function joinPath(path: string, key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
