import { isObject, type Json, type JsonObject } from "@oven/contract";
import { findPart } from "../references.ts";
import { type Conversion, convertSchema, type Direction } from "./convert-schema.ts";
import { type DefinitionKey, type InPlaceReferences, readKey, withoutKinds } from "./in-place.ts";

/** A schema that was converted, with the definitions that it refers to. */
export interface ConvertedSchema {
  schema: Json;
  refs: ReadonlySet<string>;
  /** Characters as JSON. */
  size: number;
}

interface Definition {
  key: DefinitionKey;
  files: boolean;
  converted?: ConvertedSchema;
}

/** The schemas of one document for one direction. Each definition is converted once, whatever refers to it. */
export class SchemaLibrary {
  readonly #root: JsonObject;
  readonly #direction: Direction;
  readonly #isOld: boolean;
  readonly #inPlace: InPlaceReferences;
  readonly #note: (text: string) => void;
  readonly #names = new Map<DefinitionKey, string>();
  readonly #definitions = new Map<string, Definition>();

  constructor(
    root: JsonObject,
    options: {
      direction: Direction;
      isOld: boolean;
      inPlace: InPlaceReferences;
      note(text: string): void;
    },
  ) {
    this.#root = root;
    this.#direction = options.direction;
    this.#isOld = options.isOld;
    this.#inPlace = options.inPlace;
    this.#note = options.note;
  }

  /**
   * Converts a schema that stands outside of all definitions.
   * @param files binary texts in it are files, as in forms with files
   */
  convert(given: Json | undefined, files = false): ConvertedSchema {
    return this.#convert(given, null, files);
  }

  /** The definition of a name that a converted schema refers to. */
  definition(name: string): ConvertedSchema {
    const definition = this.#definitions.get(name);
    if (definition === undefined) throw new TypeError(`No definition has the name ${name}`);
    definition.converted ??= this.#convert(this.#read(definition.key), definition.key, definition.files);
    return definition.converted;
  }

  #read(key: DefinitionKey): Json | undefined {
    const { pointer, isOwn } = readKey(key);
    const found = findPart(this.#root, pointer);
    return isOwn && isObject(found) ? withoutKinds(found) : found;
  }

  #convert(given: Json | undefined, from: DefinitionKey | null, files: boolean): ConvertedSchema {
    const refs = new Set<string>();
    const conversion: Conversion = {
      root: this.#root,
      direction: this.#direction,
      files,
      isOld: this.#isOld,
      from,
      note: this.#note,
      refer: (pointer, inPlace) => {
        const key = this.#target(pointer, inPlace ? from : null);
        if (key === undefined) return undefined;
        const name = this.#nameOf(key, files);
        refs.add(name);
        return `#/$defs/${name}`;
      },
    };
    const schema = convertSchema(given, conversion);
    return { schema, refs, size: JSON.stringify(schema).length };
  }

  #target(pointer: string, from: DefinitionKey | null): DefinitionKey | undefined {
    if (!pointer.startsWith("#")) {
      this.#note("References to other documents are left open: only this document is read");
      return undefined;
    }
    const found = findPart(this.#root, pointer);
    if (!isObject(found) && typeof found !== "boolean") {
      this.#note("References that lead nowhere in the document are left open");
      return undefined;
    }
    const key = this.#inPlace.target(from, pointer);
    if (key === undefined) this.#note("References of schemas that lead back to themselves are left out");
    return key;
  }

  /** The last part of the reference, as a name that needs no escapes. */
  #nameOf(key: DefinitionKey, files: boolean): string {
    const known = this.#names.get(`${files} ${key}`);
    if (known !== undefined) return known;
    const { pointer, isOwn } = readKey(key);
    const last = pointer.slice(pointer.lastIndexOf("/") + 1).replace(/[^A-Za-z0-9_.-]+/g, "_");
    const base = `${last === "" || last === "_" ? "schema" : last.slice(0, 80)}${isOwn ? ".own" : ""}${files ? ".form" : ""}`;
    let name = base;
    for (let count = 2; this.#definitions.has(name); count++) name = `${base}_${count}`;
    this.#names.set(`${files} ${key}`, name);
    this.#definitions.set(name, { key, files });
    return name;
  }
}
