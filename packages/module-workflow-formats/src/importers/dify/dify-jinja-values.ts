import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type JinjaToken, tokensOf } from "./dify-jinja-syntax.ts";

/** Python's name of a variable; undefined: the template has none of that name. */
export type JinjaNames = (name: string) => string | undefined;

export const pythonText = (text: string): string => JSON.stringify(text);

const CONSTANTS: Record<string, string> = {
  ...{ true: "True", True: "True", false: "False", False: "False", none: "None", None: "None" },
};
/** Methods that templates may call. */
const METHODS = new Set([
  ...["items", "keys", "values", "get", "strip", "lstrip", "rstrip", "upper", "lower", "split", "replace", "join"],
  ...["startswith", "endswith", "title", "capitalize", "find", "count", "index"],
]);
/** What each object of Python has: a field of that name is not what a template reads. */
const OF_OBJECTS = new Set([
  ...["items", "keys", "values", "get", "copy", "pop", "popitem", "update", "clear", "setdefault", "fromkeys"],
]);
const OF_LOOPS = new Set(["index", "index0", "revindex", "revindex0", "first", "last", "length"]);
/** Filters by how many arguments they take at most. */
const FILTERS: Record<string, number> = {
  ...{ upper: 0, lower: 0, trim: 0, length: 0, count: 0, first: 0, last: 0, string: 0, list: 0, tojson: 0 },
  ...{ capitalize: 0, default: 2, d: 2, join: 1, replace: 2, abs: 0, float: 1, int: 1, round: 1 },
};
const TESTS = new Set(["defined", "undefined", "none", "string", "number", "mapping", "true", "false"]);
const COMPARED = new Set(["==", "!=", "<", "<=", ">", ">="]);

/** An expression of Jinja as Python. */
export class JinjaValue {
  readonly #tokens: readonly JinjaToken[];
  readonly #names: JinjaNames;
  #at = 0;

  constructor(source: string | readonly JinjaToken[], names: JinjaNames) {
    this.#tokens = typeof source === "string" ? tokensOf(source) : source;
    this.#names = names;
  }

  /** All of it. @throws NoEquivalent */
  whole(): string {
    const value = this.#choice();
    if (this.#at < this.#tokens.length) throw this.#unknown();
    return value;
  }

  /** `item in list`, or `key, value in list`. @throws NoEquivalent */
  loop(): { targets: string[]; list: string; condition: JinjaToken[] } {
    const targets = [this.#name()];
    while (this.#takes("sign", ",")) targets.push(this.#name());
    if (!this.#takes("name", "in")) throw this.#unknown();
    const list = this.#or();
    const condition = this.#takes("name", "if") ? this.#tokens.slice(this.#at) : [];
    if (condition.length === 0 && this.#at < this.#tokens.length) throw this.#unknown();
    return { targets, list, condition };
  }

  /** `name = value`. @throws NoEquivalent */
  assignment(): { target: string; value: string } {
    const target = this.#name();
    if (!this.#takes("sign", "=")) throw this.#unknown();
    return { target, value: this.whole() };
  }

  #unknown(): NoEquivalent {
    const word = this.#tokens[this.#at]?.value ?? "its end";
    return new NoEquivalent(`its Jinja template has ${word} where that is not known`);
  }

  #peek(kind: JinjaToken["kind"], value: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === kind && token.value === value;
  }

  #takes(kind: JinjaToken["kind"], value: string): boolean {
    const isThere = this.#peek(kind, value);
    if (isThere) this.#at += 1;
    return isThere;
  }

  #name(): string {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "name") throw this.#unknown();
    this.#at += 1;
    return token.value;
  }

  /** `a if b else c` */
  #choice(): string {
    let value = this.#or();
    while (this.#takes("name", "if")) {
      const condition = this.#or();
      const other = this.#takes("name", "else") ? this.#choice() : "MISSING";
      value = `(${value} if holds(${condition}) else ${other})`;
    }
    return value;
  }

  #or(): string {
    let value = this.#and();
    while (this.#takes("name", "or")) value = `(${value} if holds(${value}) else ${this.#and()})`;
    return value;
  }

  #and(): string {
    let value = this.#not();
    while (this.#takes("name", "and")) value = `(${this.#not()} if holds(${value}) else ${value})`;
    return value;
  }

  #not(): string {
    return this.#takes("name", "not") ? `(not holds(${this.#not()}))` : this.#compare();
  }

  #compare(): string {
    const value = this.#sum();
    const sign = this.#tokens[this.#at];
    const isNot = this.#peek("name", "not") && this.#tokens[this.#at + 1]?.value === "in";
    let made: string | undefined;
    if (sign?.kind === "sign" && COMPARED.has(sign.value)) {
      this.#at += 1;
      made = `(${value} ${sign.value} ${this.#sum()})`;
    } else if (isNot || this.#peek("name", "in")) {
      this.#at += isNot ? 2 : 1;
      made = `(${value} ${isNot ? "not in" : "in"} each(${this.#sum()}))`;
    }
    if (made === undefined) return value;
    const next = this.#tokens[this.#at];
    // Python would compare three values at once.
    if (next?.kind === "sign" && COMPARED.has(next.value)) throw this.#unknown();
    return made;
  }

  #sum(): string {
    let value = this.#joined();
    for (;;) {
      const sign = this.#takes("sign", "+") ? "+" : this.#takes("sign", "-") ? "-" : undefined;
      if (sign === undefined) return value;
      value = `(${value} ${sign} ${this.#joined()})`;
    }
  }

  #joined(): string {
    let value = this.#product();
    while (this.#takes("sign", "~")) value = `(text(${value}) + text(${this.#product()}))`;
    return value;
  }

  #product(): string {
    let value = this.#unary();
    for (;;) {
      const sign = ["*", "/", "//", "%"].find((one) => this.#takes("sign", one));
      if (sign === undefined) return value;
      value = `(${value} ${sign} ${this.#unary()})`;
    }
  }

  /** A value with its sign, then its filters and tests. */
  #unary(): string {
    let value = this.#takes("sign", "-") ? `(-${this.#reached()})` : this.#reached();
    for (;;) {
      if (this.#takes("sign", "|")) value = this.#filter(value);
      else if (this.#takes("name", "is")) value = this.#test(value);
      else return value;
    }
  }

  #filter(value: string): string {
    const name = this.#name();
    const most = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    const given = this.#takes("sign", "(") ? this.#list(")") : [];
    if (most === undefined) throw new NoEquivalent(`its Jinja template has the filter ${name}`);
    if (given.length > most || (name === "replace" && given.length !== 2)) throw this.#unknown();
    return `filter_${name === "d" ? "default" : name === "count" ? "length" : name}(${[value, ...given].join(", ")})`;
  }

  #test(value: string): string {
    const isNot = this.#takes("name", "not");
    const name = this.#name();
    if (!TESTS.has(name.toLowerCase())) throw new NoEquivalent(`its Jinja template has the test ${name}`);
    const holds = `is_${name.toLowerCase()}(${value})`;
    return isNot ? `(not ${holds})` : holds;
  }

  /** A value, what is in it, and what its methods give. */
  #reached(): string {
    let value = this.#single();
    for (;;) {
      if (this.#takes("sign", ".")) {
        const name = this.#name();
        if (this.#takes("sign", "(")) value = this.#call(value, name);
        else if (OF_OBJECTS.has(name) || name.startsWith("_"))
          throw new NoEquivalent(`its Jinja template reads ${name}, which is also a method`);
        else value = `field(${value}, ${pythonText(name)})`;
      } else if (this.#takes("sign", "[")) {
        value = `entry(${value}, ${this.#choice()})`;
        if (!this.#takes("sign", "]")) throw this.#unknown();
      } else return value;
    }
  }

  #call(value: string, name: string): string {
    const given = this.#list(")");
    if (!METHODS.has(name)) throw new NoEquivalent(`its Jinja template calls ${name}`);
    return `${value}.${name}(${given.join(", ")})`;
  }

  #ofLoop(loop: string): string {
    if (!this.#takes("sign", ".")) throw this.#unknown();
    const name = this.#name();
    if (!OF_LOOPS.has(name)) throw new NoEquivalent(`its Jinja template reads loop.${name}`);
    return `${loop}[${pythonText(name)}]`;
  }

  #list(end: string): string[] {
    const values: string[] = [];
    while (!this.#takes("sign", end)) {
      if (values.length > 0 && !this.#takes("sign", ",")) throw this.#unknown();
      values.push(this.#choice());
    }
    return values;
  }

  #single(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw this.#unknown();
    this.#at += 1;
    const { kind, value } = token;
    if (kind === "number") return value;
    if (kind === "text") return pythonText(value);
    if (kind === "name") {
      if (Object.hasOwn(CONSTANTS, value)) return CONSTANTS[value] ?? "None";
      if (this.#peek("sign", "(")) throw new NoEquivalent(`its Jinja template calls ${value}`);
      const name = this.#names(value);
      return name !== undefined && value === "loop" && name !== "v_loop" ? this.#ofLoop(name) : (name ?? "MISSING");
    }
    if (value === "(") {
      const inner = this.#choice();
      if (!this.#takes("sign", ")")) throw this.#unknown();
      return `(${inner})`;
    }
    if (value === "[") return `[${this.#list("]").join(", ")}]`;
    this.#at -= 1;
    throw this.#unknown();
  }
}
