import { isObject, type Json, type JsonObject } from "@oven/contract";
import { findPart } from "../references.ts";

const LISTS = ["allOf", "anyOf", "oneOf"] as const;
const SINGLE = ["not", "if", "then", "else"] as const;
const OWN = "own:";

/** A definition by its reference; with `own:` before it, without the kinds that it lists. */
export type DefinitionKey = string;

/** The reference of a definition, and whether its kinds are left out. */
export function readKey(key: DefinitionKey): { pointer: string; isOwn: boolean } {
  return key.startsWith(OWN) ? { pointer: key.slice(OWN.length), isOwn: true } : { pointer: key, isOwn: false };
}

/**
 * References that lead back to the schema they stand in without going into a property or an item: to check a value by them would never
 * end. Where a base lists its kinds and each kind refers to its base, the kind refers to the base without that list.
 */
export class InPlaceReferences {
  readonly #root: JsonObject;
  readonly #done = new Set<DefinitionKey>();
  /** From where to where a reference is left out. */
  readonly #broken = new Set<string>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** The definition that a reference at the place of the value is to. Undefined: it would lead in a circle. */
  target(from: DefinitionKey | null, pointer: string): DefinitionKey | undefined {
    const key = this.#keyOf(from, pointer);
    this.#look(key);
    return from !== null && this.#broken.has(edgeOf(from, key)) ? undefined : key;
  }

  #keyOf(from: DefinitionKey | null, pointer: string): DefinitionKey {
    return from !== null && this.#listsKind(pointer, readKey(from).pointer) ? `${OWN}${pointer}` : pointer;
  }

  #listsKind(base: string, kind: string): boolean {
    const schema = findPart(this.#root, base);
    if (!isObject(schema)) return false;
    return [schema.oneOf, schema.anyOf].some(
      (list) => Array.isArray(list) && list.some((each) => isObject(each) && each.$ref === kind),
    );
  }

  /** Goes through all that is reached from a definition, once. Iterative: chains may be longer than the stack. */
  #look(start: DefinitionKey): void {
    if (this.#done.has(start)) return;
    const path: { key: DefinitionKey; left: DefinitionKey[] }[] = [];
    const open = new Set<DefinitionKey>();
    const enter = (key: DefinitionKey): void => {
      this.#done.add(key);
      open.add(key);
      path.push({ key, left: this.#referencesOf(key) });
    };
    enter(start);
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const next = at.left.pop();
      if (next === undefined) {
        open.delete(at.key);
        path.pop();
      } else if (open.has(next)) this.#broken.add(edgeOf(at.key, next));
      else if (!this.#done.has(next)) enter(next);
    }
  }

  /** What a definition refers to for the same value. */
  #referencesOf(key: DefinitionKey): DefinitionKey[] {
    const { pointer, isOwn } = readKey(key);
    const schema = findPart(this.#root, pointer);
    const found: DefinitionKey[] = [];
    const open: Json[] = isObject(schema) ? [isOwn ? withoutKinds(schema) : schema] : [];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (!isObject(next)) continue;
      if (typeof next.$ref === "string") found.push(this.#keyOf(key, next.$ref));
      for (const name of LISTS) if (Array.isArray(next[name])) open.push(...next[name]);
      for (const name of SINGLE) if (isObject(next[name])) open.push(next[name]);
    }
    return found;
  }
}

/** A base as a part of one of its kinds. */
export function withoutKinds({ oneOf: _oneOf, anyOf: _anyOf, ...own }: JsonObject): JsonObject {
  return own;
}

const edgeOf = (from: string, to: string): string => `${from}\n${to}`;
