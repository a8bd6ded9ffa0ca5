import type { Json } from "@oven/contract";
import { validateJson } from "@oven/engine";
import { describe, expect, it } from "vitest";
import { readSource } from "../../shared/read-source.ts";
import { outputSchemaProblems, toJsonSchema } from "./output-schema.ts";
import { compareManifest, toManifest } from "./tool-manifest.ts";

describe("an output schema", () => {
  const example = { prices: [{ product: "str", price: "float", count: "int", open: "bool" }], note: { text: "str" } };
  const plain = {
    type: "object",
    required: ["prices", "note"],
    properties: {
      prices: {
        type: "array",
        items: {
          type: "object",
          required: ["product", "price", "count", "open"],
          properties: {
            product: { type: "string" },
            price: { type: "number" },
            count: { type: "integer" },
            open: { type: "boolean" },
          },
        },
      },
      note: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
    },
  };
  const price = { product: "A", price: 1.5, count: 3, open: true };
  const good = [
    { prices: [price, { ...price, price: 2 }], note: { text: "" } },
    { prices: [], note: { text: "x" } },
  ];
  // Wrong ones, of every shape.
  const bad: unknown[] = [
    { prices: [price] },
    { prices: price, note: { text: "" } },
    { prices: [{ ...price, price: "1.5" }], note: { text: "" } },
    { prices: [{ ...price, count: 1.5 }], note: { text: "" } },
    { prices: [{ ...price, open: "yes" }], note: { text: "" } },
    { prices: [{ price: 1, count: 1, open: true }], note: { text: "" } },
    { prices: [{ ...price, product: null }], note: { text: "" } },
    { prices: [], note: { text: 1 } },
    { prices: [], note: "x" },
    [],
  ];

  it("by example judges as plain JSON Schema does [001-016] [001-017]", () => {
    for (const given of [example, plain]) {
      expect(outputSchemaProblems(given, "$")).toEqual([]);
      for (const value of good) expect(validateJson(toJsonSchema(given), value), JSON.stringify(value)).toEqual([]);
      for (const value of bad as Json[])
        expect(validateJson(toJsonSchema(given), value), JSON.stringify(value)).not.toEqual([]);
    }
    expect(outputSchemaProblems({ a: { b: ["date"] } }, "$.x")).toMatchObject([{ path: "$.x.a.b[0]" }]);
  });
});

describe("a document as text", () => {
  it("is JSON, or a literal of Python with comments, and keeps what stands in texts", () => {
    const source = `# A chain
spec = {
    "a": """two "quoted"
lines # no comment // neither""",  // yes
    'b': [1, -2.5e3, True, False, None, true, null,],
    "c": {},   # end
}
`;
    const { value, placeOf } = readSource(source);
    expect(value).toEqual({
      a: 'two "quoted"\nlines # no comment // neither',
      b: [1, -2500, true, false, null, true, null],
      c: {},
    });
    expect(placeOf("$.b[1]")).toEqual({ line: 5, column: 14 });
    expect(placeOf("$.c.missing.deeper")).toEqual({ line: 6, column: 10 });
    expect(readSource(JSON.stringify({ '\u00e9\n\t\\"': "\u2028" })).value).toEqual({ '\u00e9\n\t\\"': "\u2028" });
    expect(readSource('{"__proto__": {"x": 1}}').value).toEqual(JSON.parse('{"__proto__": {"x": 1}}'));
  });
});

describe("a tool manifest", () => {
  const tool = (id: string, args: Record<string, string>, required: string[] = []) => ({
    id,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(Object.entries(args).map(([name, type]) => [name, { type }])),
      required,
    },
  });
  const info = (of: ReturnType<typeof tool>) => of as never; // cast: no more is read
  const search = tool("search_web", { query: "string", limit: "integer" }, ["query"]);
  const now = new Date("2026-01-16T09:00:00Z");

  it("is equal for equal tools, in any order [001-163] [001-164] [001-165]", () => {
    const query = tool("query_db", { sql: "string" }, ["sql"]);
    const one = toManifest([info(search), info(query)], now);
    const swapped = tool("search_web", { limit: "integer", query: "string" }, ["query"]);
    expect(toManifest([info(query), info(swapped)], now)).toEqual(one);
    expect(one).toEqual({
      version: "2026-01-16",
      hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      tools: [
        { name: "query_db", args: { sql: "str" } },
        { name: "search_web", args: { limit: "int?", query: "str" } },
      ],
    });
    expect(toManifest([info(query)], now).hash).not.toBe(one.hash);
  });

  it("says which tool has changed, and how [001-167]", () => {
    const { tools } = toManifest([info(search)], now);
    const changes = (is: ReturnType<typeof tool> | undefined) => compareManifest(tools, () => is && info(is));
    expect(changes(search)).toEqual({ broken: [], grown: [] });
    expect(changes(undefined).broken).toEqual(["the tool search_web is gone"]);
    expect(changes(tool("search_web", { limit: "integer" })).broken).toEqual([
      "search_web takes no argument query any more",
    ]);
    expect(changes(tool("search_web", { query: "array", limit: "integer" }, ["query"])).broken).toEqual([
      "search_web.query was str and is list",
    ]);
    expect(changes(tool("search_web", { query: "string", limit: "integer" }, ["query", "limit"])).broken).toEqual([
      "search_web.limit must be given now",
    ]);
    expect(
      changes(tool("search_web", { query: "string", limit: "integer", zone: "string" }, ["query", "zone"])).broken,
    ).toEqual(["search_web has a new argument zone (str)"]);
    expect(changes(tool("search_web", { query: "string", limit: "integer", zone: "string" }, ["query"]))).toEqual({
      broken: [],
      grown: ["search_web has a new argument zone (str?)"],
    });
    expect(changes(tool("search_web", { query: "string", limit: "integer" })).grown).toEqual([
      "search_web.query may be left out now",
    ]);
  });
});
