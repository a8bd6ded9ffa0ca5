import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, JsonObject } from "@oven/contract";
import type { ApiOperation, ApiParameter } from "@oven/contract/api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDocument } from "../read-document.ts";
import { toRequest } from "./to-request.ts";

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
});
// A machine that is busy may pause a test for longer than the usual five seconds.
server.keepAliveTimeout = 60_000;
let base = "";

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  // cast: it listens on a port
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.close();
});

interface Arrived {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What a server sees of it. */
async function send(operation: ApiOperation, input: JsonObject): Promise<Arrived> {
  const { method, url, headers, body } = toRequest(operation, input, base);
  const sent =
    body.kind === "none"
      ? undefined
      : body.kind === "json"
        ? JSON.stringify(body.value)
        : body.kind === "form"
          ? new URLSearchParams(body.value).toString()
          : String(body.value);
  const response = await fetch(url, { method, headers, ...(sent === undefined ? {} : { body: sent }) });
  // cast: what this server answers
  return (await response.json()) as Arrived;
}

function operation(path: string, given: JsonObject): ApiOperation {
  const [method = "", place = ""] = path.split(" ");
  const paths = { [place]: { [method]: given } };
  const [found] = readDocument(JSON.stringify({ openapi: "3.1.0", info: {}, paths }), undefined).operations;
  if (found === undefined) throw new Error("no operation");
  return found;
}

function withParameter(place: ApiParameter["in"], more: JsonObject): ApiOperation {
  const parameter: JsonObject = { name: "color", in: place, schema: {}, ...more };
  return operation(place === "path" ? "get /a/{color}/b" : "get /a", { parameters: [parameter] });
}

const LIST: Json = ["blue", "black"];
const OBJECT: Json = { R: 100, G: 200 };

describe("styles, as the table of OpenAPI has them", () => {
  it.each([
    ["simple", false, "blue", "/a/blue/b"],
    ["simple", false, LIST, "/a/blue,black/b"],
    ["simple", false, OBJECT, "/a/R,100,G,200/b"],
    ["simple", true, OBJECT, "/a/R=100,G=200/b"],
    ["label", false, "blue", "/a/.blue/b"],
    ["label", true, LIST, "/a/.blue.black/b"],
    ["label", true, OBJECT, "/a/.R=100.G=200/b"],
    ["matrix", false, "blue", "/a/;color=blue/b"],
    ["matrix", false, LIST, "/a/;color=blue,black/b"],
    ["matrix", true, LIST, "/a/;color=blue;color=black/b"],
    ["matrix", true, OBJECT, "/a/;R=100;G=200/b"],
  ])("path %s, explode %s: %j is %s", async (style, explode, color, url) => {
    expect((await send(withParameter("path", { style, explode }), { color })).url).toBe(`/v1${url}`);
  });

  it.each([
    ["form", true, "blue", "color=blue"],
    ["form", false, LIST, "color=blue,black"],
    ["form", true, LIST, "color=blue&color=black"],
    ["form", false, OBJECT, "color=R,100,G,200"],
    ["form", true, OBJECT, "R=100&G=200"],
    ["spaceDelimited", false, LIST, "color=blue%20black"],
    ["pipeDelimited", false, LIST, "color=blue%7Cblack"],
    ["deepObject", true, OBJECT, "color[R]=100&color[G]=200"],
    ["deepObject", true, { a: { b: [1] } }, "color[a][b][0]=1"],
    ["form", true, [], ""],
    ["form", true, null, ""],
  ])("query %s, explode %s: %j is %s", async (style, explode, color, query) => {
    expect((await send(withParameter("query", { style, explode }), { color })).url).toBe(
      `/v1/a${query === "" ? "" : `?${query}`}`,
    );
  });

  it("a value with a media type is written as JSON", async () => {
    const found = withParameter("query", { content: { "application/json": { schema: {} } } });
    expect(new URL((await send(found, { color: OBJECT })).url, base).searchParams.get("color")).toBe(
      '{"R":100,"G":200}',
    );
  });

  it.each([
    [false, LIST, "blue,black"],
    [false, OBJECT, "R,100,G,200"],
    [true, OBJECT, "R=100,G=200"],
  ])("header, explode %s: %j is %s", async (explode, color, value) => {
    expect((await send(withParameter("header", { explode }), { color })).headers.color).toBe(value);
  });
});

describe("no value leaves its place", () => {
  it("of the path: any text is one segment", () => {
    const found = withParameter("path", {});
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), (color) => {
        fc.pre(!/^\.{1,2}$/.test(color));
        // What `fetch` makes of it.
        const { pathname } = new URL(toRequest(found, { color }, base).url);
        const [, version, first, segment = "", last, ...more] = pathname.split("/");
        expect([version, first, last, more]).toEqual(["v1", "a", "b", []]);
        expect(decodeURIComponent(segment)).toBe(color);
      }),
      { numRuns: 500 },
    );
  });

  it.each([".", "..", "", null, undefined, []])("of the path: %j is refused", (color) => {
    expect(() => toRequest(withParameter("path", {}), color === undefined ? {} : { color }, base)).toThrow(
      expect.objectContaining({ code: "INPUT_INVALID", path: "$.color" }),
    );
  });

  it.each(["../../admin", "a/b", "a?x=1", "a#b", "%2e%2e", "..%2f", "a\\b", "//evil.example/"])(
    "of the path: %s",
    async (color) => {
      const { url } = await send(withParameter("path", {}), { color });
      expect(url).toBe(`/v1/a/${encodeURIComponent(color)}/b`);
    },
  );

  it("of a part of a segment", async () => {
    const found = operation("get /a/{x}.{y}", {});
    expect((await send(found, { x: "a/..", y: "json" })).url).toBe("/v1/a/a%2F...json");
    expect(() => toRequest(operation("get /a/.{x}", {}), { x: "." }, base)).toThrow("cannot be . or ..");
  });

  it("of the query: any text is one value", () => {
    const [plain, reserved] = [withParameter("query", {}), withParameter("query", { allowReserved: true })];
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), fc.boolean(), (color, allowReserved) => {
        const { url } = toRequest(allowReserved ? reserved : plain, { color }, base);
        expect([...new URL(url).searchParams]).toEqual([["color", color.toWellFormed()]]);
      }),
      { numRuns: 500 },
    );
  });

  it("reserved characters stay where they may, but for those that begin another parameter", async () => {
    const { url } = await send(withParameter("query", { allowReserved: true }), { color: "a/b?c:d&e=f#g+h" });
    expect(url).toBe("/v1/a?color=a/b?c:d%26e=f%23g%2Bh");
  });

  it.each(["a\r\nHost: evil", "a\nb", "a\u0000", "€"])("of a header: %j is refused", (color) => {
    expect(() => toRequest(withParameter("header", {}), { color }, base)).toThrow(
      expect.objectContaining({ code: "INPUT_INVALID", path: "$.color" }),
    );
  });
});

describe("bodies", () => {
  const body = (mediaType: string, schema: JsonObject, more: JsonObject = {}): ApiOperation =>
    operation("post /a", { requestBody: { required: true, content: { [mediaType]: { schema, ...more } } } });
  const properties = (given: JsonObject): JsonObject => ({ type: "object", properties: given });

  it("JSON under its own media type, with the names of the document", async () => {
    const found = body("application/vnd.api+json", properties({ $type: { type: "string" }, n: {} }));
    const { headers, body: arrived } = await send(found, { type: "x", n: [null, 1.5, "ü"] });
    expect(headers["content-type"]).toBe("application/vnd.api+json");
    expect(JSON.parse(arrived)).toEqual({ $type: "x", n: [null, 1.5, "ü"] });
  });

  it("a number that is longer than a number here arrives as it was written", async () => {
    const found = body(
      "application/json",
      properties({ id: { type: "integer", format: "int64" }, note: { type: "string" } }),
    );
    const { headers, body: arrived } = await send(found, { id: "9007199254740993", note: "9007199254740993" });
    expect(arrived).toBe('{"id":9007199254740993,"note":"9007199254740993"}');
    expect(headers["content-type"]).toBe("application/json");
  });

  it("a form: lists as several fields, objects as the document says", async () => {
    const found = body("application/x-www-form-urlencoded", properties({ a: {}, meta: {}, other: {}, none: {} }), {
      encoding: { meta: { style: "deepObject", explode: true } },
    });
    const { headers, body: arrived } = await send(found, {
      a: ["1&2", 3],
      meta: { k: [{ x: "y" }] },
      other: { z: 1 },
      none: null,
    });
    expect(headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect([...new URLSearchParams(arrived)]).toEqual([
      ["a", "1&2"],
      ["a", "3"],
      ["meta[k][0][x]", "y"],
      ["other", '{"z":1}'],
    ]);
  });

  it("a form with files has them as references", () => {
    const found = body("multipart/form-data", properties({ file: { type: "string", format: "binary" }, note: {} }));
    const file = { filename: "a.txt", blob: { $blob: 1, sha256: "a" } };
    expect(toRequest(found, { file, note: 1 }, base)).toMatchObject({
      headers: {},
      body: {
        kind: "multipart",
        value: [
          ["file", file],
          ["note", "1"],
        ],
      },
    });
  });

  it("text and a file as they are", async () => {
    const { headers, body: arrived } = await send(body("application/xml", { type: "object" }), { body: "<a/>" });
    expect([headers["content-type"], arrived]).toEqual(["application/xml", "<a/>"]);
    const file = { blob: { $blob: 1, sha256: "a" } };
    expect(toRequest(body("image/png", {}), { body: file }, base)).toMatchObject({
      headers: { "content-type": "image/png" },
      body: { kind: "file", value: file },
    });
  });

  it("an optional body without values is not sent, a required one is empty", () => {
    const content = { "application/json": { schema: properties({ a: {} }) } };
    expect(toRequest(operation("post /a", { requestBody: { content } }), {}, base).body).toEqual({ kind: "none" });
    expect(toRequest(operation("post /a", { requestBody: { required: true, content } }), {}, base).body).toEqual({
      kind: "json",
      value: {},
    });
  });
});

it("a query in the path is sent before the others, and a fragment is not", async () => {
  const parameters = [{ name: "q", in: "query", schema: {} }];
  expect((await send(operation("get /a?action=list&id={id}#List", { parameters }), { q: "1", id: "&x" })).url).toBe(
    "/v1/a?action=list&id=%26x&q=1",
  );
});

it("the server of the operation is called, and values are filled in where the input has none", () => {
  const given = operation("get /a", {
    parameters: [{ name: "v", in: "query", required: true, schema: { type: "string", default: "2" } }],
  });
  const found = { ...given, serverUrl: "https://other.example.com/x" };
  expect(toRequest(found, {}, base).url).toBe("https://other.example.com/x/a?v=2");
  expect(toRequest(found, { v: "3" }, base).url).toBe("https://other.example.com/x/a?v=3");
});
