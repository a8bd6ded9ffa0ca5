import type { Json, JsonObject } from "@oven/contract";
import { isObject, setOwn } from "../expressions/json-access.ts";
import { patternProblem } from "../validate/linear-schema.ts";
import { findReference } from "./find-reference.ts";
import { mergeAllOf, mergeAnyOf } from "./merge-schemas.ts";
import { type Note, toNote } from "./note-words.ts";
import { PROFILE_RULES, type SchemaProfile, supportOf } from "./schema-profiles.ts";
import { toDraft2020 } from "./to-2020.ts";

export interface BorderSchema {
  schema: JsonObject;
  notes: Note[];
}

/** How often a schema may contain itself. */
const MOST_NESTED = 2;
/** A schema of a few lines can refer to itself exponentially often. */
const MOST_NODES = 5_000;
const MOST_HINT = 400;

/**
 * The arguments' schema as a kind of reader takes it. What the reader cannot take is weakened, never narrowed: everything that fits
 * the given schema fits the one that is handed out, and the given one still checks each call. What is left out is said in the
 * description of its place, for the model, and as a note, for people.
 */
export function toBorderSchema(schema: JsonObject, profile: SchemaProfile, of: SchemaOf = "arguments"): BorderSchema {
  const cached = known.get(schema)?.get(`${profile} ${of}`);
  if (cached !== undefined) return cached;
  // cast: an object stays one
  const root = toDraft2020(schema) as JsonObject;
  const writer = new Writer(root, profile);
  const isObjectOnly = of === "arguments" || root.type === "object";
  const { schema: sent } = writer.object(root, "$", isObjectOnly, new Map());
  const made = { schema: sent, notes: writer.notes };
  known.set(schema, (known.get(schema) ?? new Map()).set(`${profile} ${of}`, made));
  return made;
}

/** Arguments are an object always, an answer can be anything. */
type SchemaOf = "arguments" | "answer";

/** Schemas never change once they are made, and the same ones are sent with each call. */
const known = new WeakMap<JsonObject, Map<string, BorderSchema>>();

/** Whether OpenAI's strict mode can say the whole of an arguments' schema. */
export function toStrictSchema(schema: JsonObject): JsonObject | undefined {
  const { schema: sent, notes } = toBorderSchema(schema, "openai-strict");
  return notes.length === 0 && isStrict(sent) ? sent : undefined;
}

/** It wants a type everywhere, and objects that are closed and have all of their properties. */
function isStrict(schema: Json): boolean {
  if (!isObject(schema)) return false;
  if (Array.isArray(schema.anyOf)) return schema.anyOf.every(isStrict);
  if (schema.type === undefined && schema.enum === undefined) return false;
  const properties = isObject(schema.properties) ? schema.properties : undefined;
  if (properties !== undefined) {
    const required = Array.isArray(schema.required) ? schema.required : [];
    if (schema.additionalProperties !== false) return false;
    if (!Object.entries(properties).every(([name, child]) => required.includes(name) && isStrict(child))) return false;
  }
  return schema.items === undefined || isStrict(schema.items);
}

interface Sent {
  schema: JsonObject;
  /** It accepts exactly what the given one accepts. */
  exact: boolean;
}

/** How often each reference stands above. */
type Above = ReadonlyMap<string, number>;

interface Place {
  out: JsonObject;
  path: string;
  isRoot: boolean;
  above: Above;
  exact: boolean;
  /** What the model reads in words. */
  hints: JsonObject;
  /** Keys that `properties` no longer names, so that `additionalProperties` would meet them. */
  isOpened: boolean;
}

class Writer {
  readonly notes: Note[] = [];
  readonly #root: JsonObject;
  readonly #profile: SchemaProfile;
  #nodes = 0;

  constructor(root: JsonObject, profile: SchemaProfile) {
    this.#root = root;
    this.#profile = profile;
  }

  /** Any schema, where only an object can stand. */
  any(schema: Json, path: string, above: Above): Sent {
    if (isObject(schema)) return this.object(schema, path, false, above);
    if (schema === false) this.#note(toNote(path, "any-value"));
    return { schema: {}, exact: schema !== false };
  }

  object(given: JsonObject, path: string, isRoot: boolean, above: Above): Sent {
    if (++this.#nodes > MOST_NODES) {
      if (this.#nodes === MOST_NODES + 1) this.#note(toNote(path, "too-large"));
      return { schema: {}, exact: false };
    }
    const found = this.#resolve(given, above);
    if (found === undefined) {
      this.#note(toNote(path, "recursive"));
      return { schema: isRoot ? { type: "object", properties: {} } : {}, exact: false };
    }
    const place: Place = {
      ...{ out: {}, path, isRoot, above: found.above, exact: true, hints: {}, isOpened: false },
    };
    const node = this.#flat(found.node, place);
    for (const [keyword, value] of Object.entries(node)) this.#keyword(place, keyword, value, node);
    this.#additionalProperties(place, node.additionalProperties);
    this.#complete(place);
    return { schema: place.out, exact: place.exact };
  }

  /** The schema that a reference stands for, with what stands beside the reference. Undefined: it contains itself too often. */
  #resolve(given: JsonObject, above: Above): { node: JsonObject; above: Above } | undefined {
    let node = given;
    let seen = above;
    while (typeof node.$ref === "string") {
      const { $ref, ...beside } = node as JsonObject & { $ref: string }; // cast: tested just above
      const times = (seen.get($ref) ?? 0) + 1;
      if (times > MOST_NESTED) return undefined;
      seen = new Map([...seen, [$ref, times]]);
      const target = findReference(this.#root, $ref);
      if (!isObject(target)) return { node: beside, above: seen };
      const { description, title, ...rest } = beside;
      const words = {
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description }),
      };
      const restricts = Object.keys(rest).some((key) => supportOf(key, this.#profile) !== undefined);
      node = restricts ? { ...mergedReference(rest, target), ...words } : { ...target, ...words };
    }
    return { node, above: seen };
  }

  /** Without the choices and conjunctions that cannot stand at this place. */
  #flat(given: JsonObject, place: Place): JsonObject {
    let node = given;
    const { allOf } = node;
    if (Array.isArray(allOf) && !this.#isTaken("allOf", place)) {
      node = mergeAllOf(node, this.#parts(allOf, place));
      this.#weaken(place, "allOf", allOf, "merged");
    }
    for (const keyword of ["anyOf", "oneOf"] as const) {
      const { [keyword]: choice, ...rest } = node;
      if (!place.isRoot || !Array.isArray(choice) || choice.length === 0) continue;
      node = mergeAnyOf(rest, this.#parts(choice, place));
      this.#weaken(place, keyword, choice, "side-by-side");
    }
    return node;
  }

  #parts(list: readonly Json[], place: Place): JsonObject[] {
    return list.map((part) => {
      const found = isObject(part) && ++this.#nodes <= MOST_NODES ? this.#resolve(part, place.above) : undefined;
      return found === undefined ? {} : this.#flat(found.node, { ...place, above: found.above, hints: {} });
    });
  }

  #isTaken(keyword: string, { isRoot }: Place): boolean {
    const support = supportOf(keyword, this.#profile);
    return support !== "no" && !(support === "inside" && isRoot);
  }

  #keyword(place: Place, keyword: string, value: Json, node: JsonObject): void {
    const support = supportOf(keyword, this.#profile);
    if (support === undefined) {
      this.#comment(place, keyword, value);
      return;
    }
    // Comes last, when it is known what it applies to.
    if (keyword === "additionalProperties") return;
    if (!this.#isTaken(keyword, place)) {
      if (keyword === "patternProperties") place.isOpened = true;
      if (keyword === "then" || keyword === "else") return;
      this.#weaken(place, keyword, value);
      if (keyword === "if") Object.assign(place.hints, onlyThese(node, ["then", "else"]));
      return;
    }
    switch (keyword) {
      case "properties":
        this.#properties(place, value);
        return;
      case "required":
        this.#required(place, value);
        return;
      case "items":
      case "prefixItems":
        this.#items(place, keyword, value, node);
        return;
      case "contains":
      case "propertyNames":
        this.#child(place, keyword, value);
        return;
      case "maxContains":
        // Fewer may be found by a schema that was weakened.
        if (isObject(node.contains) && !this.#isExact(node.contains, place)) {
          this.#weaken(place, keyword, value);
          return;
        }
        break;
      case "not":
        if (!this.#isExact(value, place)) {
          this.#weaken(place, keyword, value);
          return;
        }
        this.#child(place, keyword, value);
        return;
      case "allOf":
      case "anyOf":
      case "oneOf":
        this.#list(place, keyword, value);
        return;
      case "const":
      case "enum":
        this.#values(place, keyword, value);
        return;
      case "pattern":
        if (typeof value !== "string" || patternProblem(value) !== undefined) {
          this.#weaken(place, keyword, value);
          return;
        }
        break;
      case "format": {
        const { formats } = PROFILE_RULES[this.#profile];
        if (formats !== undefined && !formats.has(String(value))) {
          this.#weaken(place, keyword, value);
          return;
        }
        break;
      }
      case "exclusiveMinimum":
      case "exclusiveMaximum":
        if (support === "minimum" || support === "maximum") {
          this.#bound(place, keyword, support, value, node);
          return;
        }
        break;
    }
    place.out[keyword] = value;
  }

  #comment({ out }: Place, keyword: string, value: Json): void {
    if (keyword.startsWith("$") || keyword === "definitions" || keyword === "id") return;
    const isWord = keyword === "title" || keyword === "description";
    if (isWord || PROFILE_RULES[this.#profile].fewComments !== true) setOwn(out, keyword, value);
  }

  #properties(place: Place, value: Json): void {
    const { names } = PROFILE_RULES[this.#profile];
    const sent: JsonObject = {};
    const unnamed: JsonObject = {};
    for (const [name, child] of Object.entries(isObject(value) ? value : {})) {
      if (names === undefined || names.test(name)) setOwn(sent, name, this.#sub(place, child, name));
      else setOwn(unnamed, name, child);
    }
    place.out.properties = sent;
    if (Object.keys(unnamed).length === 0) return;
    place.isOpened = true;
    place.exact = false;
    place.hints.properties = unnamed;
    for (const name of Object.keys(unnamed)) this.#note(toNote(place.path, "in-words", name));
  }

  #required(place: Place, value: Json): void {
    const { names } = PROFILE_RULES[this.#profile];
    const all = Array.isArray(value) ? value : [];
    const sent = all.filter((name) => names === undefined || names.test(String(name)));
    if (sent.length < all.length) {
      place.exact = false;
      place.hints.required = all.filter((name) => !sent.includes(name));
    }
    if (sent.length > 0) place.out.required = sent;
  }

  #additionalProperties(place: Place, value: Json | undefined): void {
    if (value === undefined || value === true) return;
    if (place.isOpened) {
      this.#weaken(place, "additionalProperties", value);
      return;
    }
    place.out.additionalProperties = value === false ? false : this.#sub(place, value, "*");
  }

  #items(place: Place, keyword: "items" | "prefixItems", value: Json, node: JsonObject): void {
    const prefix = Array.isArray(node.prefixItems) ? node.prefixItems : [];
    if (keyword === "prefixItems") {
      if (prefix.length > 0) place.out.prefixItems = prefix.map((child, at) => this.#sub(place, child, at));
      return;
    }
    if (value === true) return;
    // Items behind the first ones that it does not say apart would be all of them.
    if (prefix.length > 0 && !this.#isTaken("prefixItems", place) && value !== false) {
      this.#weaken(place, "items", value);
      return;
    }
    if (value !== false) place.out.items = this.#sub(place, value, "*");
    else
      place.out.maxItems = Math.min(prefix.length, typeof node.maxItems === "number" ? node.maxItems : prefix.length);
  }

  #child(place: Place, keyword: string, value: Json): void {
    place.out[keyword] = this.#sub(place, value, undefined);
  }

  #list(place: Place, keyword: "allOf" | "anyOf" | "oneOf", value: Json): void {
    const list = Array.isArray(value) ? value : [];
    if (list.length === 0) return;
    const sent = list.map((child) => this.any(child, place.path, place.above));
    const isExact = sent.every(({ exact }) => exact);
    if (!isExact) place.exact = false;
    const schemas = sent.map(({ schema }) => schema);
    if (keyword !== "oneOf") {
      this.#beside(place, keyword, schemas);
      return;
    }
    // Of alternatives that are weakened more than one may fit.
    if (isExact && supportOf("oneOf", this.#profile) !== "anyOf") {
      place.out.oneOf = schemas;
      return;
    }
    place.exact = false;
    this.#note(toNote(place.path, "any-of"));
    this.#beside(place, "anyOf", schemas);
  }

  /** `anyOf` may have been taken by a `oneOf`. */
  #beside(place: Place, keyword: "allOf" | "anyOf", schemas: JsonObject[]): void {
    const { out } = place;
    if (out[keyword] === undefined) out[keyword] = schemas;
    else if (keyword === "allOf" && Array.isArray(out.allOf)) out.allOf = [...out.allOf, ...schemas];
    else if (this.#isTaken("allOf", place))
      out.allOf = [...(Array.isArray(out.allOf) ? out.allOf : []), { [keyword]: schemas }];
    else this.#weaken(place, keyword, schemas);
  }

  #values(place: Place, keyword: "const" | "enum", value: Json): void {
    const values = keyword === "const" ? [value] : Array.isArray(value) ? value : [];
    const isPlain = values.every((one) => typeof one === "string" || typeof one === "number");
    if (PROFILE_RULES[this.#profile].plainEnums === true && !isPlain) {
      this.#weaken(place, keyword, value);
      return;
    }
    if (supportOf(keyword, this.#profile) !== "enum") place.out[keyword] = value;
    else if (place.out.enum === undefined) place.out.enum = values;
    else this.#weaken(place, keyword, value);
  }

  #bound(place: Place, keyword: string, support: "minimum" | "maximum", value: Json, node: JsonObject): void {
    const other = node[support];
    const stronger = support === "minimum" ? Math.max : Math.min;
    if (typeof value === "number") place.out[support] = typeof other === "number" ? stronger(value, other) : value;
    this.#weaken(place, keyword, value);
  }

  #sub(place: Place, schema: Json, step: string | number | undefined): JsonObject {
    const path =
      step === undefined ? place.path : typeof step === "number" ? `${place.path}[${step}]` : `${place.path}.${step}`;
    const { schema: sent, exact } = this.any(schema, path, place.above);
    if (!exact) place.exact = false;
    return sent;
  }

  /** Tried without a trace. */
  #isExact(schema: Json, { path, above }: Place): boolean {
    const before = this.notes.length;
    const { exact } = this.any(schema, path, above);
    this.notes.length = before;
    return exact;
  }

  #weaken(place: Place, keyword: string, value: Json, what: Note["what"] = "left-out"): void {
    place.exact = false;
    setOwn(place.hints, keyword, value);
    this.#note(toNote(place.path, what, keyword));
  }

  #note(note: Note): void {
    if (!this.notes.some(({ path, message }) => path === note.path && message === note.message)) this.notes.push(note);
  }

  /** What readers ask for, and the words about what was left out. */
  #complete({ out, isRoot, hints }: Place): void {
    if (isRoot) out.type = "object";
    const types = [out.type].flat();
    if (types.includes("object") && out.properties === undefined) out.properties = {};
    if (types.includes("array") && out.items === undefined && out.prefixItems === undefined) out.items = {};
    if (Object.keys(hints).length === 0) return;
    const text = JSON.stringify(hints);
    if (text.length > MOST_HINT) return;
    const said = typeof out.description === "string" && out.description !== "" ? `${out.description}\n` : "";
    out.description = `${said}Must also fit ${text}`;
  }
}

/** What stands beside a reference holds together with what it refers to. */
function mergedReference(beside: JsonObject, target: JsonObject): JsonObject {
  const { $defs: _defs, definitions: _definitions, ...schema } = target;
  return { ...beside, allOf: [...(Array.isArray(beside.allOf) ? beside.allOf : []), schema] };
}

function onlyThese(node: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => keys.includes(key)));
}
