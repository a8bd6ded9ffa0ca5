import fc from "fast-check";
import { CHARSETS, type Charset, charactersOf } from "./charsets.ts";

/** A value as it comes in. */
export interface BorderValue {
  kind: "number" | "text" | "name" | "date" | "schema";
  /** Its JSON, as it is sent. */
  source: string;
  /** For ways that carry bytes of text. */
  charset: Charset;
}

const sign = fc.constantFrom("", "-");
const join = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(""));

const number = fc.oneof(
  join(sign, fc.stringMatching(/^[1-9]\d{0,24}$/)),
  join(sign, fc.stringMatching(/^(?:0|[1-9]\d{0,9})\.\d{1,22}$/)),
  join(sign, fc.stringMatching(/^[1-9](?:\.\d{1,6})?[eE][+-]?\d{1,3}$/)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.maxSafeInteger().map(String),
  fc.constantFrom("9007199254740991", "9007199254740992", "9007199254740993", "7615917337495251231", "1e400", "-1e400"),
  fc.constantFrom(
    "5e-324",
    "1e-400",
    "-0",
    "-0.0",
    "0.1",
    "1.0",
    "100e-2",
    "1E5",
    "0.1234567890123456789",
    "1e22",
    "1e23",
  ),
);

const NAMES = [
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
  "length",
  "",
  " ",
  "é",
  "e\u0301",
  "ﬁ",
  "$ref",
  "$literal",
  "$cel",
  "$secret",
  "$blob",
  "a.b",
  "a[0]",
  'quote"s',
  "back\\slash",
  "{{ x }}",
  "x".repeat(200),
  "漢字",
  "👩‍👩‍👧",
  "\u202Eabc",
];
const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: "grapheme", maxLength: 20 }));
const names = fc
  .uniqueArray(name, { minLength: 1, maxLength: 4 })
  .map((keys) => `{${keys.map((key, index) => `${JSON.stringify(key)}:${index}`).join(",")}}`);

const two = (value: number) => String(value).padStart(2, "0");
const date = fc
  .record({
    year: fc.integer({ min: 1, max: 9999 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 31 }),
    hour: fc.integer({ min: 0, max: 24 }),
    minute: fc.integer({ min: 0, max: 59 }),
    second: fc.integer({ min: 0, max: 60 }),
    zone: fc.constantFrom("Z", "+02:00", "-05:30", "+14:00", "+00:00"),
  })
  .map(
    ({ year, month, day, hour, minute, second, zone }) =>
      `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${zone}`,
  );

const keyword: fc.Arbitrary<object> = fc.oneof(
  fc.constantFrom("string", "number", "integer", "boolean", "null", "object", "array").map((type) => ({ type })),
  fc.constantFrom("email", "date-time", "int64", "uuid").map((format) => ({ type: "string", format })),
  fc.integer({ min: -5, max: 5 }).map((minimum) => ({ type: "number", minimum, exclusiveMaximum: minimum + 10 })),
  fc.constantFrom("^a+$", "(?=x)y", "[", "\\d{3}").map((pattern) => ({ type: "string", pattern })),
  fc.constantFrom({ const: 1 }, { enum: ["a", "b"] }, { minimum: "one" }, { type: "text" }, { required: "a" }, {}),
);
const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    keyword,
    fc.dictionary(name, tie("schema"), { maxKeys: 3 }).map((properties) => ({ type: "object", properties })),
    tie("schema").map((items) => ({ type: "array", items })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf })),
    tie("schema").map((additionalProperties) => ({ type: "object", additionalProperties })),
  ),
}));

const charset = fc.constantFrom(...CHARSETS);
const text = fc.oneof(
  charset.chain((of) => {
    const own = charactersOf(of);
    return fc
      .array(
        fc.oneof(
          fc.nat(own.length - 1).map((index) => own[index] ?? ""),
          fc.constantFrom("a", "1", " ", "&", "=", "%", "+", '"'),
        ),
        {
          maxLength: 30,
        },
      )
      .map((parts) => ({ charset: of, text: parts.join("") }));
  }),
  fc.string({ unit: "binary", maxLength: 30 }).map((of) => ({ charset: "utf-8" as const, text: of })),
  fc
    .constantFrom(
      "\u0000",
      "a\u0000b",
      "\uD800",
      "x\uDC00y",
      "\u200b\u202e",
      "\r\n\t",
      "é",
      "e\u0301",
      "\uFEFFa",
      "{{ $.x }}",
      "$.x",
      "$secret",
    )
    .map((of) => ({ charset: "utf-8" as const, text: of })),
);

/** What is generated is the same for the same seed. */
export function sampleValues(count: number, seed: number): BorderValue[] {
  const value: fc.Arbitrary<BorderValue> = fc.oneof(
    fc.tuple(number, charset).map(([source, of]) => ({ kind: "number" as const, source, charset: of })),
    text.map(({ charset: of, text: written }) => ({
      kind: "text" as const,
      source: JSON.stringify(written),
      charset: of,
    })),
    names.map((source) => ({ kind: "name" as const, source, charset: "utf-8" as const })),
    date.map((written) => ({ kind: "date" as const, source: JSON.stringify(written), charset: "utf-8" as const })),
    schema.map((of) => ({ kind: "schema" as const, source: JSON.stringify(of), charset: "utf-8" as const })),
  );
  return fc.sample(value, { numRuns: count, seed });
}
