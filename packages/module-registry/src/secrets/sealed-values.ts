import type { SecretRotation } from "@oven/contract/access";
import { open, type SealingKey, seal } from "./seal.ts";

/** Goes through the sealed values that a module keeps: of one tenant, or of all. */
export type Resealer = (tenantId: number | undefined) => Promise<SecretRotation>;

/**
 * Values that modules keep sealed in rows of their own. `name` says whose value it is, and must be the same when it is
 * opened: sealed text that is put into another row does not open there.
 */
export interface SealedValues {
  /** AES-256-GCM; begins with the id of the key. */
  seal(tenantId: number, name: string, value: string): string;
  /** Undefined when it was changed, or sealed by a key that this process does not have. */
  open(tenantId: number, name: string, sealed: string): string | undefined;
  /** Whether the present key sealed it. */
  isPresent(sealed: string): boolean;
  /** Called whenever secrets are sealed anew. */
  onRotate(resealer: Resealer): void;
}

export class KeyedSealedValues implements SealedValues {
  readonly #present: SealingKey;
  readonly #keys: ReadonlyMap<string, SealingKey>;
  readonly #resealers: Resealer[] = [];

  constructor(present: SealingKey, keys: ReadonlyMap<string, SealingKey>) {
    this.#present = present;
    this.#keys = keys;
  }

  seal(tenantId: number, name: string, value: string): string {
    return `${this.#present.id}:${seal(this.#present, value, contextOf(tenantId, name))}`;
  }

  open(tenantId: number, name: string, sealed: string): string | undefined {
    const [id = "", text = ""] = sealed.split(":");
    const key = this.#keys.get(id);
    return key && open(key, text, contextOf(tenantId, name));
  }

  isPresent(sealed: string): boolean {
    return sealed.startsWith(`${this.#present.id}:`);
  }

  onRotate(resealer: Resealer): void {
    this.#resealers.push(resealer);
  }

  async rotate(tenantId: number | undefined): Promise<SecretRotation> {
    const all: SecretRotation = { rotated: 0, unreadable: [] };
    for (const resealer of this.#resealers) {
      const { rotated, unreadable } = await resealer(tenantId);
      all.rotated += rotated;
      all.unreadable.push(...unreadable);
    }
    return all;
  }
}

/** Never that of a tenant's own secret: those have no such beginning. */
function contextOf(tenantId: number, name: string): string {
  return `value/${tenantId}/${name}`;
}
