import { createHash } from "node:crypto";

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/** Both ways between tool ids (`orders.get`) and the dotless names that providers take (`orders_get`). */
export interface WireNames {
  toWire(id: string): string;
  /** A name that no id has stays as it is: a model may invent tools. */
  toId(wireName: string): string;
}

/**
 * Names for one request. Every id that would share its name with another, or whose name is too long for a
 * provider, gets eight characters of its hash, so the outcome does not depend on the order of the ids.
 */
export function createWireNames(ids: Iterable<string>): WireNames {
  const distinct = new Set(ids);
  const owners = new Map<string, number>();
  for (const id of distinct) owners.set(toPlainName(id), (owners.get(toPlainName(id)) ?? 0) + 1);
  const wireById = new Map<string, string>();
  const idByWire = new Map<string, string>();
  for (const id of distinct) {
    const plain = toPlainName(id);
    const wire = plain.length > MAX_LENGTH || owners.get(plain) !== 1 ? toHashedName(id, plain) : plain;
    wireById.set(id, wire);
    idByWire.set(wire, id);
  }
  return {
    toWire: (id) => wireById.get(id) ?? toPlainName(id),
    toId: (wireName) => idByWire.get(wireName) ?? wireName,
  };
}

function toPlainName(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}

function toHashedName(id: string, plain: string): string {
  const hash = createHash("sha256").update(id).digest("hex").slice(0, HASH_LENGTH);
  return `${plain.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
