import type { JsonObject } from "@oven/contract";
import type { ApiDocument, ApiOperation } from "@oven/contract/api";
import { ApiDocumentSchema } from "@oven/contract/api";
import { schemaProblems, violationsOf } from "@oven/engine";
import { describe, expect, it } from "vitest";
import { readDocument } from "../read-document.ts";

function read(document: JsonObject, baseUrl?: string): ApiDocument {
  return ApiDocumentSchema.parse(readDocument(JSON.stringify(document), baseUrl));
}

function operation(given: JsonObject, more: JsonObject = {}, place = "post /things"): ApiOperation {
  const [method = "", path = ""] = place.split(" ");
  const document = read({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { [path]: { [method]: given } },
    ...more,
  });
  const [found] = document.operations;
  if (found === undefined) throw new Error("no operation");
  expect(schemaProblems(found.inputSchema, ["inputSchema"])).toEqual([]);
  if (found.outputSchema !== null) expect(schemaProblems(found.outputSchema, ["outputSchema"])).toEqual([]);
  return found;
}

const BLOB: JsonObject = { $blob: 1, mediaType: "image/png", bytes: 3, sha256: "a".repeat(64), summary: "" };
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });

describe("an operation's input", () => {
  it("is one flat object of parameters and the properties of the body", () => {
    const { inputSchema, parameters, body } = operation(
      {
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "integer" } },
          { name: "$top", in: "query", description: "How many", schema: { type: "integer" } },
          { name: "X-Trace", in: "header", schema: { type: "string" } },
        ],
        requestBody: {
          required: true,
          ...json({
            type: "object",
            required: ["name"],
            properties: { id: { type: "string" }, name: { type: "string" } },
          }),
        },
      },
      {},
      "put /things/{id}",
    );
    expect(inputSchema).toEqual({
      type: "object",
      properties: {
        id: { type: "integer" },
        top: { type: "integer", description: "How many" },
        "X-Trace": { type: "string" },
        id_body: { type: "string" },
        name: { type: "string" },
      },
      required: ["id", "name"],
      additionalProperties: false,
    });
    expect(parameters.map(({ property, name }) => [property, name])).toEqual([
      ["id", "id"],
      ["top", "$top"],
      ["X-Trace", "X-Trace"],
    ]);
    expect(body).toMatchObject({ property: null, properties: { id_body: "id", name: "name" }, kind: "json" });
  });

  it("begins with what each call needs", () => {
    const query = (name: string, required: boolean): JsonObject => ({ name, in: "query", required, schema: {} });
    const { parameters } = operation(
      { parameters: [query("a", false), query("b", true), query("c", false)] },
      {},
      "get /things/{id}",
    );
    expect(parameters.map(({ name }) => name)).toEqual(["id", "b", "a", "c"]);
  });

  it("has a body as one property where its schema is more than a list of properties", () => {
    const { inputSchema, body } = operation({
      requestBody: { required: true, ...json({ type: "array", items: { type: "integer" } }) },
    });
    expect(body?.property).toBe("body");
    expect(inputSchema).toMatchObject({
      properties: { body: { type: "array", items: { type: "integer" } } },
      required: ["body"],
    });
  });

  it("has the properties of all that an object is made of, without those that are only read", () => {
    const { inputSchema } = operation(
      { requestBody: { required: true, ...json({ $ref: "#/components/schemas/Dog" }) } },
      {
        components: {
          schemas: {
            Pet: {
              type: "object",
              required: ["name", "id"],
              properties: { id: { type: "integer", readOnly: true }, name: { type: "string" } },
            },
            Dog: {
              allOf: [
                { $ref: "#/components/schemas/Pet" },
                { type: "object", properties: { bark: { type: "boolean" } } },
              ],
            },
          },
        },
      },
    );
    expect(inputSchema).toEqual({
      type: "object",
      properties: { name: { type: "string" }, bark: { type: "boolean" } },
      required: ["name"],
      additionalProperties: false,
    });
  });

  it("needs the required fields of a body that is not said to be required, and no body with GET", () => {
    const requestBody = json({ type: "object", required: ["a"], properties: { a: {}, b: {} } });
    expect(operation({ requestBody }).inputSchema.required).toEqual(["a"]);
    expect(operation({ requestBody }, {}, "get /a").problem).toBe("The API wants a body, which GET cannot have");
    const optional = operation({ requestBody: json({ type: "object", properties: { a: {} } }) }, {}, "get /a");
    expect([optional.body, optional.notes, optional.problem]).toEqual([
      null,
      ["The body is left out: GET cannot have one"],
      null,
    ]);
  });

  it("leaves a required parameter with one value to its default", () => {
    const { inputSchema, defaults } = operation({
      parameters: [
        { name: "Notion-Version", in: "header", required: true, schema: { type: "string", enum: ["2022-06-28"] } },
      ],
    });
    expect(defaults).toEqual({ "Notion-Version": "2022-06-28" });
    expect(inputSchema.required).toBeUndefined();
  });
});

describe("schemas", () => {
  const recursive = {
    components: {
      schemas: {
        Node: {
          type: "object",
          properties: {
            value: { type: "integer", minimum: 0 },
            children: { type: "array", items: { $ref: "#/components/schemas/Node" } },
          },
        },
      },
    },
  };

  it("refer to their own definitions, which may be recursive", () => {
    const { inputSchema } = operation(
      {
        requestBody: {
          required: true,
          ...json({ type: "object", properties: { root: { $ref: "#/components/schemas/Node" } } }),
        },
      },
      recursive,
    );
    expect(inputSchema.properties).toEqual({ root: { $ref: "#/$defs/Node" } });
    expect(violationsOf(inputSchema, { root: { value: 1, children: [{ value: 2, children: [] }] } }, "$")).toEqual([]);
    expect(violationsOf(inputSchema, { root: { value: 1, children: [{ value: -2 }] } }, "$")).not.toEqual([]);
  });

  it("of OpenAPI 3.0 are read in the words of 2020-12", () => {
    const { inputSchema } = operation(
      {
        requestBody: {
          required: true,
          ...json({
            type: "object",
            properties: {
              a: { type: "string", nullable: true, enum: ["x"] },
              b: { type: "number", minimum: 0, exclusiveMinimum: true },
              c: { nullable: true, allOf: [{ $ref: "#/components/schemas/Node" }] },
              d: { type: "string", example: "e.g." },
            },
          }),
        },
      },
      { openapi: "3.0.3", ...recursive },
    );
    expect(inputSchema.properties).toEqual({
      a: { type: ["string", "null"], enum: ["x", null] },
      b: { type: "number", exclusiveMinimum: 0 },
      c: { anyOf: [{ allOf: [{ $ref: "#/$defs/Node" }] }, { type: "null" }] },
      d: { type: "string", examples: ["e.g."] },
    });
    for (const [value, fits] of [
      [{ a: null, b: 1, c: null }, true],
      [{ a: "y" }, false],
      [{ b: 0 }, false],
      [{ c: { value: -1 } }, false],
    ] as const)
      expect([value, violationsOf(inputSchema, value, "$").length === 0]).toEqual([value, fits]);
  });

  it("of a base that lists its kinds, each of which refers to the base, can be checked", () => {
    const { inputSchema } = operation(
      {
        requestBody: {
          required: true,
          ...json({ type: "object", properties: { pet: { $ref: "#/components/schemas/Pet" } } }),
        },
      },
      {
        components: {
          schemas: {
            Pet: {
              type: "object",
              required: ["name"],
              properties: { name: { type: "string" } },
              oneOf: [{ $ref: "#/components/schemas/Dog" }],
            },
            Dog: {
              allOf: [
                { $ref: "#/components/schemas/Pet" },
                { type: "object", required: ["bark"], properties: { bark: { type: "boolean" } } },
              ],
            },
            Loop: { allOf: [{ $ref: "#/components/schemas/Loop" }] },
          },
        },
      },
    );
    expect(violationsOf(inputSchema, { pet: { name: "a", bark: true } }, "$")).toEqual([]);
    expect(violationsOf(inputSchema, { pet: { name: "a" } }, "$")).not.toEqual([]);
    expect(violationsOf(inputSchema, { pet: { bark: true } }, "$")).not.toEqual([]);
  });

  it("that refer to nothing but themselves are left open, with a note", () => {
    const document = read({
      openapi: "3.0.0",
      info: {},
      paths: {
        "/a": {
          post: { requestBody: json({ type: "object", properties: { x: { $ref: "#/components/schemas/A" } } }) },
        },
      },
      components: {
        schemas: { A: { $ref: "#/components/schemas/B" }, B: { allOf: [{ $ref: "#/components/schemas/A" }] } },
      },
    });
    expect(document.notes).toEqual(["References of schemas that lead back to themselves are left out"]);
    const [{ inputSchema } = { inputSchema: {} }] = document.operations;
    expect(violationsOf(inputSchema, { x: { any: 1 } }, "$")).toEqual([]);
  });

  it("that are too large are cut, and say so", () => {
    const wide = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [
        `Big${at}`,
        {
          type: "object",
          description: "long ".repeat(60),
          properties: { next: { $ref: `#/components/schemas/Big${(at + 1) % 400}` }, name: { type: "string" } },
        },
      ]),
    );
    const { inputSchema, outputSchema, notes } = operation(
      {
        requestBody: {
          required: true,
          ...json({ type: "object", properties: { big: { $ref: "#/components/schemas/Big0" } } }),
        },
        responses: { 200: json({ $ref: "#/components/schemas/Big0" }) },
      },
      { components: { schemas: wide } },
    );
    expect(JSON.stringify(inputSchema).length).toBeLessThanOrEqual(32_000);
    expect(JSON.stringify(outputSchema).length).toBeLessThanOrEqual(64_000);
    expect(notes).toEqual([
      "The input's schema is larger than OVEN shows: parts of it are left open",
      "The answer's schema is larger than OVEN shows: parts of it are left open",
    ]);
    let deep: JsonObject = { name: "a" };
    for (let at = 0; at < 300; at++) deep = { next: deep };
    expect(violationsOf(inputSchema, { big: deep }, "$")).toEqual([]);
  });
});

describe("effects and sign-ins", () => {
  it("follow from the method, and a key for repeated calls", () => {
    const paths = {
      "/a": { get: {}, put: {}, delete: {}, patch: {}, head: {}, post: {} },
      "/b": {
        post: { parameters: [{ name: "Idempotency-Key", in: "header", required: true, schema: { type: "string" } }] },
      },
    };
    const { operations } = read({ openapi: "3.1.0", info: {}, paths });
    expect(
      operations.map(({ method, effect, reads, idempotencyHeader }) => [method, effect, reads, idempotencyHeader]),
    ).toEqual([
      ["GET", "idempotent", true, null],
      ["HEAD", "idempotent", true, null],
      ["POST", "at-most-once", false, null],
      ["PUT", "idempotent", false, null],
      ["PATCH", "at-most-once", false, null],
      ["DELETE", "idempotent", false, null],
      ["POST", "idempotent", false, "Idempotency-Key"],
    ]);
    expect(operations.at(-1)?.parameters).toEqual([]);
  });

  it("no parameter is a header of the connection, a cookie or what a sign-in fills", () => {
    const header = (name: string) => ({ name, in: "header", schema: { type: "string" } });
    const { parameters, notes, signIn } = operation(
      {
        parameters: [
          ...["Host", "Authorization", "Content-Length", "Accept", "X-Api-Key", "X-Fine", "Bad Name", "Proxy-Foo"].map(
            header,
          ),
          { name: "session", in: "cookie", schema: { type: "string" } },
          { name: "key", in: "query", schema: { type: "string" } },
        ],
      },
      {
        components: { securitySchemes: { k: { type: "apiKey", in: "query", name: "key" } } },
        security: [{ k: [] }],
      },
    );
    expect(parameters.map(({ name }) => name)).toEqual(["X-Fine"]);
    expect(signIn).toEqual([{ k: [] }]);
    expect(notes).toHaveLength(5);
  });

  it("a credential among the parameters of a document without sign-ins becomes one", () => {
    const document = read({
      openapi: "3.0.0",
      info: {},
      paths: {
        "/a": {
          get: { parameters: [{ name: "Authorization", in: "header", required: true, schema: { type: "string" } }] },
        },
      },
    });
    expect(document.signIns).toEqual([
      {
        name: "Authorization",
        description: "Found among the parameters of operations",
        how: { type: "api-key", in: "header", name: "Authorization" },
      },
    ]);
    expect(document.operations[0]).toMatchObject({ parameters: [], signIn: [{ Authorization: [] }] });
  });

  it("ways to sign in that OVEN cannot go say why", () => {
    const flow = { authorizationUrl: "/authorize", tokenUrl: "/token", scopes: { read: "Read" } };
    const { signIns, servers } = read(
      {
        openapi: "3.0.0",
        info: {},
        paths: {},
        servers: [{ url: "/v{v}", variables: { v: { default: "2" } } }, { url: "http://{unknown}.example.com" }],
        components: {
          securitySchemes: {
            a: { type: "oauth2", flows: { implicit: flow, authorizationCode: flow } },
            b: { type: "oauth2", flows: { clientCredentials: flow } },
            c: { type: "oauth2", flows: { password: flow } },
            d: { type: "http", scheme: "Bearer" },
            e: { type: "http", scheme: "digest" },
            f: { type: "openIdConnect" },
            __proto__x: { type: "mutualTLS" },
          },
        },
      },
      "https://api.example.com/docs/openapi.json",
    );
    expect(signIns.map(({ how }) => how.type)).toEqual([
      "oauth",
      "oauth",
      "other",
      "bearer",
      "other",
      "other",
      "other",
    ]);
    expect(signIns[0]?.how).toEqual({
      type: "oauth",
      flow: "code",
      authorizationUrl: "https://api.example.com/authorize",
      tokenUrl: "https://api.example.com/token",
      refreshUrl: null,
      scopes: { read: "Read" },
    });
    expect(servers).toEqual([{ url: "https://api.example.com/v2", description: "" }]);
  });
});

describe("names", () => {
  const named = (paths: JsonObject): string[] =>
    read({ openapi: "3.1.0", info: {}, paths }).operations.map(({ name }) => name);

  it("are the document's, or made of method and path", () => {
    expect(
      named({
        "/repos/{owner}/issues": { get: { operationId: "issues/list-for-repo" }, post: {} },
        "/größe": { get: {} },
        "/long": { get: { operationId: "x".repeat(100) } },
      }),
    ).toEqual([
      "issues_list_for_repo",
      "post_repos_by_owner_issues",
      "get_gro_e",
      expect.stringMatching(/^x{55}_[0-9a-f]{8}$/),
    ]);
  });

  it("of the document come before those that are made of a path", () => {
    expect(named({ "/a": { get: {} }, "/b": { get: { operationId: "get_a" } } })).toEqual([
      expect.stringMatching(/^get_a_[0-9a-f]{8}$/),
      "get_a",
    ]);
  });

  it("are unique, and stay when other operations come", () => {
    const first = { "/a-b": { get: {} }, "/a_b": { get: {} }, "/c": { post: { operationId: "Go" } } };
    const names = named(first);
    expect(new Set(names).size).toBe(3);
    const more = named({ ...first, "/d": { get: { operationId: "go" } }, "/a/b": { get: {} } });
    expect(more.slice(0, 3)).toEqual(names);
    expect(new Set(more.map((name) => name.toLowerCase())).size).toBe(5);
  });
});

it("Swagger 2 is read like OpenAPI 3", () => {
  const { formatVersion, servers, operations, signIns } = read({
    swagger: "2.0",
    info: { title: "Pets", version: "1" },
    host: "pets.example.com",
    basePath: "/v1",
    schemes: ["http", "https"],
    consumes: ["application/json"],
    produces: ["application/json"],
    securityDefinitions: { key: { type: "apiKey", in: "header", name: "X-Key" }, basic: { type: "basic" } },
    security: [{ key: [] }],
    paths: {
      "/pets": {
        get: {
          operationId: "list",
          parameters: [
            { name: "tags", in: "query", type: "array", items: { type: "string" }, collectionFormat: "pipes" },
          ],
          responses: { 200: { description: "", schema: { type: "array", items: { $ref: "#/definitions/Pet" } } } },
        },
        post: {
          operationId: "add",
          parameters: [{ name: "pet", in: "body", required: true, schema: { $ref: "#/definitions/Pet" } }],
        },
      },
      "/pets/{id}/photo": {
        parameters: [{ name: "id", in: "path", required: true, type: "integer", format: "int64" }],
        post: {
          operationId: "photo",
          consumes: ["multipart/form-data"],
          parameters: [
            { name: "file", in: "formData", type: "file", required: true },
            { name: "note", in: "formData", type: "string" },
          ],
        },
      },
    },
    definitions: {
      Pet: { type: "object", required: ["name"], properties: { name: { type: "string", "x-nullable": true } } },
    },
  });
  expect(formatVersion).toBe("2.0");
  expect(servers.map(({ url }) => url)).toEqual(["https://pets.example.com/v1"]);
  expect(signIns.map(({ how }) => how.type)).toEqual(["api-key", "basic"]);
  const [list, add, photo] = operations;
  expect(list).toMatchObject({
    parameters: [{ name: "tags", style: "pipeDelimited", explode: false }],
    outputSchema: { type: "array", items: { $ref: "#/$defs/Pet" } },
    signIn: [{ key: [] }],
  });
  expect(add?.inputSchema).toMatchObject({ properties: { name: { type: ["string", "null"] } }, required: ["name"] });
  expect(photo?.body).toMatchObject({ kind: "multipart", properties: { file: "file", note: "note" } });
  expect(violationsOf(photo?.inputSchema ?? {}, { id: "9007199254740993", file: { blob: BLOB } }, "$")).toEqual([]);
  expect(violationsOf(photo?.inputSchema ?? {}, { id: 1, file: "bytes" }, "$")).not.toEqual([]);
});

it("an operation whose parameter or body is elsewhere cannot be called, and says why", () => {
  const { operations, notes } = read({
    openapi: "3.0.0",
    info: {},
    paths: {
      "/a": {
        get: { parameters: [{ $ref: "other.yaml#/x" }] },
        post: { requestBody: { $ref: "#/components/requestBodies/none" } },
      },
      "/b": { $ref: "paths.yaml#/b" },
      "/c": { trace: {}, get: { responses: { 200: json({ $ref: "other.json" }) } } },
    },
  });
  expect(operations.map(({ problem }) => problem)).toEqual([
    "A parameter is described in another document, or nowhere",
    "The body is described in another document, or nowhere",
    null,
  ]);
  expect(operations[2]?.outputSchema).toEqual({});
  expect(notes).toHaveLength(3);
});

describe("an operation's own server", () => {
  const at = (url: string) => ({ servers: [{ url }], responses: {} });
  const place = (paths: JsonObject, servers?: JsonObject[]) => {
    const document = read({ openapi: "3.0.3", info: {}, paths, ...(servers === undefined ? {} : { servers }) });
    return [document.servers.map(({ url }) => url), document.operations.map(({ serverUrl }) => serverUrl)];
  };

  it("is none where it is the server of all", () => {
    const paths = { "/a": { get: at("https://a.example.com") }, "/b": { get: at("https://b.example.com") } };
    expect(place(paths, [{ url: "https://a.example.com/" }])).toEqual([
      ["https://a.example.com"],
      [null, "https://b.example.com"],
    ]);
  });

  it("is the server of all where every operation names it and the document names none", () => {
    const paths = { "/a": { get: at("https://a.example.com"), post: at("https://a.example.com") } };
    expect(place(paths)).toEqual([["https://a.example.com"], [null, null]]);
  });

  it("stays where there are several and the document names none", () => {
    const paths = { "/a": { get: at("https://a.example.com") }, "/b": { get: { responses: {} } } };
    expect(place(paths)).toEqual([[], ["https://a.example.com", null]]);
  });
});
