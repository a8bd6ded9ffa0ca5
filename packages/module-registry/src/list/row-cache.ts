import type { Principal } from "@oven/contract";

/** A row that was read before, with its `xmin` at that time; each change of the row replaces its `xmin`. */
export interface RowVersion {
  table: string;
  id: number;
  xmin: string;
}

/** A value computed from a row, valid while the row has this version. */
export interface CacheEntry<T> {
  value: T;
  rowVersion: RowVersion;
}

const MOST = 200;
/** Characters of texts and keys, plus one for each value. Larger values are not cached. */
const LARGEST = 262_144;

/**
 * Rows that are read often. Entries may be out of date, so they must not decide anything alone: the statement that follows checks the row
 * version, and the caller reads the row again when the statement had no effect, and before it refuses something.
 */
export class RowCache<T extends { id: number; tenantId: number | null }> {
  readonly #entries = new Map<string, CacheEntry<T>>();

  get(principal: Principal, idOrSlug: string): CacheEntry<T> | undefined {
    return this.#entries.get(keyOf(principal, idOrSlug));
  }

  /** Shared rows are cached by id only: a tenant may later have a row of its own with the same slug. */
  keep(principal: Principal, idOrSlug: string, entry: CacheEntry<T>): void {
    const { tenantId, id } = entry.value;
    if (tenantId !== principal.tenantId && idOrSlug !== String(id)) return;
    if (isLarge(entry.value)) return;
    if (this.#entries.size >= MOST) this.#entries.clear();
    this.#entries.set(keyOf(principal, idOrSlug), entry);
  }

  /** Removes entries that this process has changed itself. */
  drop(isChanged: (value: T) => boolean): void {
    for (const [key, { value }] of this.#entries) if (isChanged(value)) this.#entries.delete(key);
  }

  forget(principal: Principal, idOrSlug: string): void {
    this.#entries.delete(keyOf(principal, idOrSlug));
  }
}

/** Stops counting at the limit, because large values are measured at each start. */
function isLarge(value: unknown): boolean {
  let size = 0;
  const open = [value];
  while (open.length > 0 && size <= LARGEST) {
    const next = open.pop();
    size += typeof next === "string" ? next.length : 1;
    if (typeof next !== "object" || next === null) continue;
    for (const [key, inner] of Object.entries(next)) {
      size += key.length;
      open.push(inner);
    }
  }
  return size > LARGEST;
}

function keyOf({ tenantId }: Principal, idOrSlug: string): string {
  return `${tenantId} ${idOrSlug}`;
}
