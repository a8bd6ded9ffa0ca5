import { z } from "zod";
import { JsonObjectSchema } from "./json.ts";
import { EffectSchema } from "./node-contract.ts";

/** How a parameter of an operation is written into its request, as OpenAPI 3.1 names it. */
export const ApiParameterSchema = z.strictObject({
  /** Its property in the operation's `inputSchema`: no two of one operation share one. */
  property: z.string(),
  /** Its name in the request. */
  name: z.string(),
  in: z.enum(["path", "query", "header", "cookie"]),
  style: z.enum(["simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject"]),
  explode: z.boolean(),
  /** Characters such as `/` and `?` stay as they are. */
  allowReserved: z.boolean(),
  /** Its value is written as JSON. */
  json: z.boolean(),
});
export type ApiParameter = z.infer<typeof ApiParameterSchema>;

/** How a list or an object is written into a form. */
export const ApiFieldSchema = z.strictObject({
  /** `json`: as JSON in one field. */
  style: z.enum(["form", "spaceDelimited", "pipeDelimited", "deepObject", "json"]),
  explode: z.boolean(),
});
export type ApiField = z.infer<typeof ApiFieldSchema>;

/** The body of an operation's request. */
export const ApiBodySchema = z.strictObject({
  /**
   * The property of `inputSchema` that holds it. Null: the body is an object, and `properties` of `inputSchema` are its own.
   */
  property: z.string().nullable(),
  /** With `property` null: which properties of `inputSchema` belong to the body, each with its name there. */
  properties: z.record(z.string(), z.string()),
  mediaType: z.string(),
  /** What is made of the value: JSON, a form, a form with files, the text as it is, or the bytes of one file. */
  kind: z.enum(["json", "form", "multipart", "text", "file"]),
  required: z.boolean(),
  /** Fields of a form, by their names, that are not written as usual: a list as its field several times, an object as JSON. */
  fields: z.record(z.string(), ApiFieldSchema),
});
export type ApiBody = z.infer<typeof ApiBodySchema>;

/** One way to sign in at an API, as its document names it. */
export const ApiSignInSchema = z.strictObject({
  /** The scheme's name in the document. */
  name: z.string(),
  description: z.string(),
  how: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("api-key"), in: z.enum(["header", "query", "cookie"]), name: z.string() }),
    z.strictObject({ type: z.literal("basic") }),
    z.strictObject({ type: z.literal("bearer") }),
    z.strictObject({
      type: z.literal("oauth"),
      /** Null where a flow has no page to sign in at. */
      authorizationUrl: z.string().nullable(),
      tokenUrl: z.string().nullable(),
      /** Where tokens are renewed; null: at `tokenUrl`. */
      refreshUrl: z.string().nullable(),
      /** What each scope allows, in words. */
      scopes: z.record(z.string(), z.string()),
      flow: z.enum(["code", "client-credentials"]),
    }),
    /** OVEN cannot sign in this way; `problem` says why. */
    z.strictObject({ type: z.literal("other"), problem: z.string() }),
  ]),
});
export type ApiSignIn = z.infer<typeof ApiSignInSchema>;

/** An operation of an API as a tool: what is pinned is the hash of all of it. */
export const ApiOperationSchema = z.strictObject({
  /** Unique in the document; letters, digits and underscores: what stands after `api.{connection}.`. */
  name: z.string(),
  /** The name in the document; null: it has none. */
  operationId: z.string().nullable(),
  title: z.string(),
  description: z.string(),
  /** Sections of the document. */
  tags: z.array(z.string()),
  deprecated: z.boolean(),
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
  /** With `{name}` for each parameter of the path. */
  path: z.string(),
  /** Null: at the server of the connection. */
  serverUrl: z.string().nullable(),
  parameters: z.array(ApiParameterSchema),
  body: ApiBodySchema.nullable(),
  /** What the API should answer with. */
  accept: z.string().nullable(),
  /** An object: parameters and body. References lead to its own `$defs`. */
  inputSchema: JsonObjectSchema,
  /** What is sent where the input has no value, by property of `inputSchema`. */
  defaults: JsonObjectSchema,
  /** Of an answer in JSON; null: the document does not say. */
  outputSchema: JsonObjectSchema.nullable(),
  /** What repeating a call may do, by its method. */
  effect: EffectSchema,
  /** The header by which the API knows a repeated call, such as `Idempotency-Key`: OVEN fills it. Null: the document names none. */
  idempotencyHeader: z.string().nullable(),
  /** It only reads, so that no person needs to approve each call. */
  reads: z.boolean(),
  /** Each entry is one way in: all its schemes at once, with the scopes each needs. Empty: without signing in. */
  signIn: z.array(z.record(z.string(), z.array(z.string()))),
  /** For a GraphQL API: the query that is sent with the input as its variables. */
  query: z.string().nullable(),
  /** What of it was left out or read as something else, and what its document says of its effect, in words. */
  notes: z.array(z.string()),
  /** Why it cannot be called; null: it can. */
  problem: z.string().nullable(),
});
export type ApiOperation = z.infer<typeof ApiOperationSchema>;

/** What OVEN reads of an API's document. */
export const ApiDocumentSchema = z.strictObject({
  kind: z.enum(["openapi", "graphql", "curl"]),
  /** `3.1.0`, `2.0`; empty where there is none. */
  formatVersion: z.string(),
  title: z.string(),
  version: z.string(),
  description: z.string(),
  /** Absolute addresses with variables filled in by their defaults; the first is proposed. Empty: the admin says where. */
  servers: z.array(z.strictObject({ url: z.string(), description: z.string() })),
  signIns: z.array(ApiSignInSchema),
  operations: z.array(ApiOperationSchema),
  /** What of the document was left out or read as something else, in words. */
  notes: z.array(z.string()),
});
export type ApiDocument = z.infer<typeof ApiDocumentSchema>;
