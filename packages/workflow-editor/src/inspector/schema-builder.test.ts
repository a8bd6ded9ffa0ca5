import type { Json, JsonObject } from "@oven/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  kindOf,
  propertiesOf,
  restOf,
  SCHEMA_KINDS,
  type SchemaKind,
  withKeyword,
  withKind,
  withProperties,
  withRest,
} from "./schema-builder.ts";

/** What a person can build: kinds, limits, names, order, nested at will. */
interface Built {
  kind: Exclude<SchemaKind, "other">;
  description?: string | undefined;
  limits: Record<string, Json>;
  choices: string[];
  item: Built | null;
  fields: { name: string; required: boolean; field: Built }[];
}

const kinds = SCHEMA_KINDS.map(({ kind }) => kind).filter((kind) => kind !== "other");
const LIMITS: Partial<Record<SchemaKind, string[]>> = {
  text: ["minLength", "maxLength"],
  number: ["minimum", "maximum"],
  list: ["minItems"],
};
const name = fc.stringMatching(/^[a-z][a-zA-Z_]{0,8}$/);
function toBuilt(depth: number): fc.Arbitrary<Built> {
  const inner: fc.Arbitrary<Built> | null = depth === 0 ? null : toBuilt(depth - 1);
  return fc
    .record({
      kind: fc.constantFrom(...kinds),
      description: fc.option(fc.string(), { nil: undefined }),
      limit: fc.option(fc.nat(9), { nil: null }),
      choices: fc.array(fc.string(), { minLength: 1, maxLength: 3 }),
      item: inner === null ? fc.constant(null) : fc.option(inner, { nil: null }),
      fields:
        inner === null
          ? fc.constant<Built["fields"]>([])
          : fc.uniqueArray(fc.record({ name, required: fc.boolean(), field: inner }), {
              maxLength: 3,
              selector: (field) => field.name,
            }),
    })
    .map(
      ({ limit, ...rest }): Built => ({
        ...rest,
        limits: limit === null ? {} : Object.fromEntries((LIMITS[rest.kind] ?? []).map((key) => [key, limit])),
        choices: rest.kind === "choice" ? rest.choices : [],
        item: rest.kind === "list" ? rest.item : null,
        fields: rest.kind === "object" ? rest.fields : [],
      }),
    );
}
const built = toBuilt(3);

/** As the form writes it, step by step. */
function write({ kind, description, limits, choices, item, fields }: Built): JsonObject {
  let schema = withKind({}, kind);
  if (kind === "choice") schema = withKeyword(schema, "enum", choices);
  if (kind === "list") schema = withKeyword(schema, "items", item === null ? undefined : write(item));
  if (kind === "object")
    schema = withProperties(
      schema,
      fields.map(({ name: own, required, field }) => ({ name: own, required, schema: write(field) })),
    );
  for (const [key, value] of Object.entries(limits)) schema = withKeyword(schema, key, value);
  return withKeyword(schema, "description", description);
}

/** As the form shows it. */
function read(schema: Json | undefined): Built {
  const kind = kindOf(schema);
  if (kind === "other" || typeof schema !== "object" || schema === null || Array.isArray(schema))
    throw new Error(`no control shows ${JSON.stringify(schema)}`);
  return {
    kind,
    description: typeof schema.description === "string" ? schema.description : undefined,
    limits: Object.fromEntries(
      (LIMITS[kind] ?? []).flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])),
    ),
    choices: Array.isArray(schema.enum) ? schema.enum.map(String) : [],
    item: kind === "list" && schema.items !== undefined ? read(schema.items) : null,
    fields:
      kind === "object" ? propertiesOf(schema).map(({ schema: own, ...rest }) => ({ ...rest, field: read(own) })) : [],
  };
}

describe("the schema builder", () => {
  it("shows again what was built, and builds again what it shows", () => {
    fc.assert(
      fc.property(built, (wanted) => {
        const schema = write(wanted);
        expect(read(schema)).toEqual(wanted);
        expect(write(read(schema))).toEqual(schema);
        expect(restOf(schema)).toEqual({});
      }),
    );
  });

  it("keeps what it does not know through every change", () => {
    const unknown = fc.dictionary(
      fc.stringMatching(/^(x-[a-z]{1,6}|examples|deprecated|\$comment|additionalProperties|title)$/),
      fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json), // cast: JSON
      { maxKeys: 4 },
    );
    fc.assert(
      fc.property(built, unknown, fc.constantFrom(...kinds), (wanted, rest, kind) => {
        const schema = { ...write(wanted), ...rest };
        expect(restOf(schema)).toEqual(rest);
        expect(withKind(schema, wanted.kind)).toBe(schema);
        expect(withKind(schema, kind)).toMatchObject(rest);
        expect(kindOf(withKind(schema, kind))).toBe(kind);
        expect(withRest(schema, restOf(schema))).toEqual(schema);
        expect(restOf(withRest(schema, {}))).toEqual({});
        if (wanted.kind === "object") expect(withProperties(schema, propertiesOf(schema))).toEqual(schema);
      }),
    );
  });

  it("leaves what only JSON can say as it is, in its place among the others", () => {
    const odd: Json[] = [
      { anyOf: [{ type: "string" }, { type: "null" }] },
      { $ref: "#/$defs/order" },
      { type: ["string", "null"] },
      { enum: [1, "a"] },
      { const: 3 },
      true,
      { type: "array", items: [{ type: "string" }] },
    ];
    for (const schema of odd) expect(kindOf(schema), JSON.stringify(schema)).toBe("other");
    const whole: JsonObject = {
      type: "object",
      properties: { first: { type: "string" }, odd: odd[0] ?? null, last: { type: "number" } },
      required: ["odd", "elsewhere"],
      additionalProperties: false,
    };
    const [first, second, last] = propertiesOf(whole);
    if (first === undefined || second === undefined || last === undefined) throw new Error("no fields");
    const moved = withProperties(whole, [last, first, second]);
    expect(Object.keys(moved.properties ?? {})).toEqual(["last", "first", "odd"]);
    expect(moved).toEqual(whole);
    expect(withProperties(whole, [first, last])).toMatchObject({
      required: ["elsewhere"],
      additionalProperties: false,
    });
  });

  it("writes the order down where a database would forget it", () => {
    const schema = withKind({}, "object");
    const fields = ["zip", "a", "name"].map((own) => ({
      name: own,
      required: own === "a",
      schema: { type: "string" },
    }));
    const written = withProperties(schema, fields, true);
    const sorted = { ...written, properties: { a: {}, name: {}, zip: {} } };
    expect(propertiesOf(sorted).map(({ name: own }) => own)).toEqual(["zip", "a", "name"]);
    expect(restOf(written)).toEqual({});
    // Once written it is kept true.
    expect(withProperties(sorted, propertiesOf(sorted).toReversed())).toMatchObject({
      "x-order": ["name", "a", "zip"],
    });
    expect(withProperties(schema, fields.slice(0, 1), true)).not.toHaveProperty("x-order");
    // A name of a field that is gone says nothing; one that is not named comes last.
    expect(propertiesOf({ type: "object", properties: { b: {}, a: {} }, "x-order": ["gone", "a", 3] })).toMatchObject([
      { name: "a" },
      { name: "b" },
    ]);
  });

  it("drops what only the old kind means when the kind changes, and keeps limits that go on meaning something", () => {
    const text: JsonObject = { type: "string", maxLength: 9, pattern: "^a", default: "a", description: "Its name" };
    expect(withKind(text, "long")).toEqual({
      type: "string",
      contentMediaType: "text/plain",
      maxLength: 9,
      description: "Its name",
    });
    expect(withKind(text, "integer")).toEqual({ type: "integer", description: "Its name" });
    expect(withKind({ type: "object", properties: { a: {} }, required: ["a"] }, "boolean")).toEqual({
      type: "boolean",
    });
  });
});
