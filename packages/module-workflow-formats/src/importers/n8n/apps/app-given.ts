import { getOwn, type Json, type JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { unsetSetting } from "../n8n-variables.ts";
import { computed, isExpression, js } from "./app-values.ts";

/** What a node of an app is set to. It knows what of it was asked for, so that nothing is left out without a word. */
export class Given {
  readonly version: number;
  readonly #values: JsonObject;
  readonly #path: string;
  readonly #asked = new Set<string>();
  readonly #inner: Given[] = [];
  readonly #groups = new Map<string, Given>();

  readonly #node: string | undefined;

  /** @param node its name, where a setting that is left open becomes a variable of the run */
  constructor(values: JsonObject, version: number, { path = "", node }: { path?: string; node?: string } = {}) {
    this.#values = values;
    this.version = version;
    this.#path = path;
    this.#node = node;
  }

  /** A setting; one that is empty counts as left out. */
  get(name: string): Json | undefined {
    this.#asked.add(name);
    const value = getOwn(this.#values, name);
    return value === null || value === "" ? undefined : value;
  }

  or<T extends Json>(name: string, otherwise: T): Json {
    return this.get(name) ?? otherwise;
  }

  /** What must be set. @throws NoEquivalent where it is not, and no variable can have it */
  need(name: string, what = name): Json {
    return this.get(name) ?? this.#leftOpen(name, `its ${what} is not set`);
  }

  #leftOpen(name: string, reason: string): string {
    if (this.#node === undefined) throw new NoEquivalent(reason);
    return unsetSetting(this.#node, name);
  }

  /** A setting that decides what is asked, so that it must be known. @throws NoEquivalent */
  choice<T extends string>(name: string, otherwise: T, known: readonly T[]): T {
    const value = this.or(name, otherwise);
    const found = known.find((one) => one === value);
    if (found === undefined)
      throw new NoEquivalent(isExpression(value) ? `its ${name} is computed` : `its ${name} is ${String(value)}`);
    return found;
  }

  /** @throws NoEquivalent where it is computed */
  flag(name: string, otherwise = false): boolean {
    const value = this.or(name, otherwise);
    if (typeof value !== "boolean") throw new NoEquivalent(`its ${name} is computed`);
    return value;
  }

  /** A group of settings, such as `options`. @throws NoEquivalent */
  group(name: string): Given {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const value = this.get(name) ?? {};
    if (!isObject(value)) throw new NoEquivalent(`its ${name} is computed`);
    const inner = new Given(value, this.version, { path: `${this.#path}${name}.` });
    this.#inner.push(inner);
    this.#groups.set(name, inner);
    return inner;
  }

  /** A list of groups, such as `filters.conditions`. @throws NoEquivalent */
  list(name: string, key: string): Given[] {
    const value = this.group(name).get(key) ?? [];
    if (!Array.isArray(value)) throw new NoEquivalent(`its ${name} is computed`);
    const inner = value.filter(isObject).map((one) => new Given(one, this.version, { path: `${this.#path}${name}.` }));
    this.#inner.push(...inner);
    return inner;
  }

  /** Settings that change nothing of what is asked or handed on. */
  skip(...names: string[]): void {
    for (const name of names) this.#asked.add(name);
  }

  /** What a resource locator chooses, in any of its modes. @throws NoEquivalent */
  locator(name: string, { what = name, pattern }: { what?: string; pattern?: RegExp } = {}): Json {
    const given = this.get(name);
    const { mode, value } = isObject(given) ? given : { mode: "id", value: given };
    if (value === undefined || value === null || value === "") return this.#leftOpen(name, `no ${what} is chosen`);
    if (mode !== "url") return value;
    if (pattern === undefined) throw new NoEquivalent(`its ${what} is an address`);
    if (isExpression(value)) return computed(`(${pattern}.exec(${js(value)}) ?? [])[1]`);
    const id = pattern.exec(String(value))?.[1];
    if (id === undefined) throw new NoEquivalent(`the address of its ${what} has no id`);
    return id;
  }

  /** How a resource locator chooses. */
  modeOf(name: string): string {
    const given = this.get(name);
    return isObject(given) && typeof given.mode === "string" ? given.mode : "id";
  }

  keys(): string[] {
    return Object.keys(this.#values);
  }

  /** All settings as they are. */
  all(): JsonObject {
    for (const name of this.keys()) this.#asked.add(name);
    return this.#values;
  }

  /** @throws NoEquivalent where a setting was not asked for */
  refuseRest(): void {
    for (const [name, value] of Object.entries(this.#values)) {
      if (this.#asked.has(name) || isEmpty(value)) continue;
      throw new NoEquivalent(`its setting ${this.#path}${name} has no equal here`);
    }
    for (const inner of this.#inner) inner.refuseRest();
  }
}

function isEmpty(value: Json): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.values(value).every(isEmpty);
}

/** How many records are asked for; undefined: all of them. @throws NoEquivalent where that is computed */
export function limitOf(
  given: Given,
  { all = false, limit = 50 }: { all?: boolean; limit?: number } = {},
): number | undefined {
  const wanted = given.or("limit", limit);
  if (given.flag("returnAll", all)) return undefined;
  if (typeof wanted !== "number") throw new NoEquivalent("how many it takes is computed");
  return wanted;
}
