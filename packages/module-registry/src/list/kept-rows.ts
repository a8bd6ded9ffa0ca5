import type { Principal } from "@oven/contract";

/** A row that was read before, and its `xmin` at that time, which each change of it replaces. */
export interface Witness {
  table: string;
  id: number;
  xmin: string;
}

/** What was made of a row, for as long as the row stands as the witness saw it. */
export interface Kept<T> {
  value: T;
  witness: Witness;
}

const MOST = 200;
/** Characters of texts and keys, and one for each value; what is larger is read each time. */
const LARGEST = 262_144;

/**
 * What is asked for again and again, kept without asking whether it still stands. Nobody may decide by it alone: whoever uses it names
 * the witness in the statement that it leads to, and reads again where that does not take effect, or where it would refuse something.
 */
export class KeptRows<T extends { id: number; tenantId: number | null }> {
  readonly #kept = new Map<string, Kept<T>>();

  get(principal: Principal, idOrSlug: string): Kept<T> | undefined {
    return this.#kept.get(keyOf(principal, idOrSlug));
  }

  /** A shared row is kept by its number only: by its slug the tenant may find one of its own tomorrow. */
  keep(principal: Principal, idOrSlug: string, kept: Kept<T>): void {
    const { tenantId, id } = kept.value;
    if (tenantId !== principal.tenantId && idOrSlug !== String(id)) return;
    if (isLarge(kept.value)) return;
    if (this.#kept.size >= MOST) this.#kept.clear();
    this.#kept.set(keyOf(principal, idOrSlug), kept);
  }

  /** What this process changes itself need not be tried first. */
  drop(isChanged: (value: T) => boolean): void {
    for (const [key, { value }] of this.#kept) if (isChanged(value)) this.#kept.delete(key);
  }

  forget(principal: Principal, idOrSlug: string): void {
    this.#kept.delete(keyOf(principal, idOrSlug));
  }
}

/** Looks no further than it must: what is too large is looked at at each start. */
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
