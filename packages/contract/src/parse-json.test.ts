import { describe, expect, it } from "vitest";
import { isExactNumber } from "./exact-number.ts";
import type { Json } from "./json.ts";
import { longNumbersAsText, parseJson, readJson } from "./parse-json.ts";

const LONG = "7615917337495251231";

describe("a number is exact", () => {
  it.each([
    "0",
    "-0",
    "0.0e-999999999999",
    "1",
    "0.1",
    "1.10",
    "100e-2",
    "9007199254740991",
    "9007199254740992",
    "-9007199254740994",
    "12345678901234567000",
    "1e22",
    "1e+23",
    "1.7976931348623157e308",
    "2.2250738585072014E-308",
    "5e-324",
    "4.9E-324",
    "0.30000000000000004",
    "0.10000000000000001",
    "3.1400000000000001",
    `1${"0".repeat(22)}.${"0".repeat(400)}`,
  ])("%s", (text) => {
    expect(isExactNumber(text)).toBe(true);
  });

  it.each([
    LONG,
    `-${LONG}`,
    `${LONG}.5`,
    "9007199254740993",
    "12345678901234567168",
    "1e400",
    "-1e309",
    "1e-400",
    "0.1234567890123456789",
    "0.12345678901234567",
    "0.100000000000000001",
    "123456789.12345678901",
    "1.000000000000000000001",
    `0.${"0".repeat(400)}1`,
    "1".repeat(400),
  ])("or not: %s", (text) => {
    expect(isExactNumber(text)).toBe(false);
  });

  it("whatever double it is, as this language writes it", () => {
    const bits = new DataView(new ArrayBuffer(8));
    for (let index = 0, seed = 1; index < 20_000; index++) {
      for (const at of [0, 4]) {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
        bits.setUint32(at, seed);
      }
      const double = bits.getFloat64(0);
      if (Number.isFinite(double)) expect(isExactNumber(JSON.stringify(double)), String(double)).toBe(true);
    }
  });
});

describe("JSON from outside", () => {
  it.each([
    ['{"a":[1,2.5,-3e2,"12345678901234567890",true,null,{"b":9007199254740992}]}'],
    [`{"text":"1e400, ${LONG}","more":"\\"id\\": ${LONG}"}`],
    [`["${LONG}"]`],
    [
      '{"__proto__":{"a":0.1000000000000000055511151231257827e0},"b":[]}'.replace(
        "0.1000000000000000055511151231257827e0",
        "1e100",
      ),
    ],
    ["12345678901234567000"],
  ])("%s is what JSON.parse makes of it", (text) => {
    expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
  });

  it.each([
    [LONG, "$", LONG],
    [`{"input":{"id":${LONG}}}`, "$.input.id", LONG],
    [`{"a b":[[],[0,{"e":1e400}]]}`, '$["a b"][1][1].e', "1e400"],
    [`{"__proto__":{"x":-1E+999}}`, "$.__proto__.x", "-1E+999"],
    [`[\n  1,\n  0.1234567890123456789\n]`, "$[1]", "0.1234567890123456789"],
    [`{"a":1,"b":1e-400}`, "$.b", "1e-400"],
  ])("%s is refused with place and number", (text, path, number) => {
    expect(() => parseJson(text, { what: "The body" })).toThrow(
      expect.objectContaining({
        code: "NUMBER_NOT_EXACT",
        path,
        message: expect.stringContaining(`The body has the number ${number} at ${path}`),
        fix: "Send it as text, in quotes.",
        details: { numbers: [{ path, number }] },
      }),
    );
  });

  it("names every refused number, up to a limit, and none of them whole when it is very long", () => {
    const text = JSON.stringify(Array.from({ length: 30 }, () => 0)).replaceAll("0", "9".repeat(400));
    expect(() => parseJson(text)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^The JSON has the number 9{60}… \(400 characters\) at \$\[0\].*; 29 more$/),
        details: { numbers: expect.objectContaining({ length: 20 }) },
      }),
    );
  });

  it("is no JSON: a syntax error, whether there are long numbers or not", () => {
    expect(() => parseJson("{")).toThrow(SyntaxError);
    expect(() => parseJson(`[${LONG}`)).toThrow(SyntaxError);
    expect(() => parseJson(`[0${LONG}]`)).toThrow(SyntaxError);
  });

  it("may be deeper than the stack, as long as there is no long number in it", () => {
    const deep = (inside: string) => `${"[".repeat(100_000)}${inside}${"]".repeat(100_000)}`;
    expect(() => parseJson(deep("1"))).not.toThrow();
    expect(() => parseJson(deep(LONG))).toThrow(expect.objectContaining({ code: "INVALID_JSON" }));
    expect(() => parseJson(`${"[".repeat(500)}${LONG}${"]".repeat(500)}`)).toThrow(
      expect.objectContaining({ code: "NUMBER_NOT_EXACT" }),
    );
  });

  it("of a key that comes twice has the last, which may be the exact one", () => {
    expect(readJson(`{"a":${LONG},"a":1}`)).toEqual({ value: { a: 1 }, longNumbers: [] });
    expect(readJson(`{"a":1,"a":${LONG}}`)).toEqual({ value: { a: LONG }, longNumbers: [{ path: ["a"], text: LONG }] });
  });
});

describe("a long number stays as text where the schema takes text", () => {
  const SCHEMAS: [name: string, schema: Json][] = [
    ["a text", { properties: { id: { type: "string" } } }],
    ["a text among types", { properties: { id: { type: ["null", "string"] } } }],
    ["an int64", { properties: { id: { type: "integer", format: "int64" } } }],
    ["a decimal", { properties: { id: { format: "decimal" } } }],
    ["an alternative", { properties: { id: { anyOf: [{ type: "integer" }, { type: "string" }] } } }],
    ["all of several", { allOf: [{ properties: { id: { type: "string" } } }] }],
    ["a condition", { if: false, else: { properties: { id: { type: "string" } } } }],
    [
      "a reference",
      { properties: { id: { $ref: "#/$defs/a~1b" } }, $defs: { "a/b": { $ref: "#/$defs/c" }, c: { type: "string" } } },
    ],
    ["any other property", { additionalProperties: { type: "string" } }],
    ["properties by pattern", { patternProperties: { "^i": { type: "string" } } }],
  ];
  it.each(SCHEMAS)("%s", (_name, schema) => {
    expect(parseJson(`{"id":${LONG},"n":1}`, { schema })).toEqual({ id: LONG, n: 1 });
  });

  it("as the whole of it", () => {
    expect(parseJson(LONG, { schema: { type: "string" } })).toBe(LONG);
    expect(readJson("1e400")).toEqual({ value: "1e400", longNumbers: [{ path: [], text: "1e400" }] });
    expect(readJson("1e400", () => false)).toEqual({ value: Number.POSITIVE_INFINITY, longNumbers: [] });
  });

  it("by the schema of a part, which refers to itself", () => {
    const schema = { properties: { id: { $ref: "#/$defs/id" } }, $defs: { id: { type: "string" } } };
    const text = `{"input":{"id":${LONG}}}`;
    expect(parseJson(text, { at: ["input"], schema })).toEqual({ input: { id: LONG } });
    expect(() => parseJson(text, { at: ["other"], schema })).toThrow(expect.objectContaining({ path: "$.input.id" }));
    expect(() => parseJson(text, { schema })).toThrow(expect.objectContaining({ path: "$.input.id" }));
  });

  it("in lists", () => {
    expect(parseJson(`[${LONG}]`, { schema: { items: { type: "string" } } })).toEqual([LONG]);
    expect(parseJson(`[1,1e400]`, { schema: { prefixItems: [{}, { type: "string" }] } })).toEqual([1, "1e400"]);
  });

  it.each<[string, Json]>([
    ["nothing", true],
    ["a number", { properties: { id: { type: "integer" } } }],
    ["a text elsewhere", { properties: { other: { type: "string" } } }],
    ["a text around it", { type: "string" }],
    ["a name of every object", { properties: { toString: { type: "string" } } }],
    ["a reference to itself", { $ref: "#" }],
    ["a reference to nothing", { properties: { id: { $ref: "#/$defs/none" } } }],
  ])("not where it takes %s", (_name, schema) => {
    expect(() => parseJson(`{"id":${LONG}}`, { schema })).toThrow(expect.objectContaining({ path: "$.id" }));
  });
});

describe("JSON text for a library that reads it by itself", () => {
  const isData = ([part]: readonly PropertyKey[]) => part === "data";

  it("has long numbers as text where they matter, and says which", () => {
    const noted: unknown[] = [];
    const text = `{"limit":${LONG},"data":{"a":[${LONG}],"__proto__":1e400,"n":1}}`;
    const rewritten = longNumbersAsText(text, isData, ({ longNumbers }) => noted.push(...longNumbers));
    expect(rewritten).toBe(`{"limit":7615917337495251000,"data":{"a":["${LONG}"],"__proto__":"1e400","n":1}}`);
    expect(noted).toEqual([
      { path: ["data", "__proto__"], text: "1e400" },
      { path: ["data", "a", 0], text: LONG },
    ]);
  });

  it.each([`{"limit":${LONG},"data":{}}`, '{"data":1}', `{"data":${LONG}`, "not JSON", ""])(
    "is the same text when there is nothing to change: %s",
    (text) => {
      expect(longNumbersAsText(text, isData)).toBe(text);
    },
  );
});
