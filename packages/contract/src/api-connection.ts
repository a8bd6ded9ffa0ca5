import { z } from "zod";
import { ApiOperationSchema, ApiSignInSchema } from "./api-document.ts";
import { SlugSchema } from "./ids.ts";
import { EffectSchema } from "./node-contract.ts";
import { ApprovalConditionSchema } from "./review-policy.ts";
import { SchemaNoteSchema } from "./schema-note.ts";
import { SecretNameSchema } from "./secret.ts";

/** Characters of a document that is sent with a request. */
const MOST_DOCUMENT = 20_000_000;

const isPlain = (text: string): boolean => {
  const parsed = URL.parse(text);
  return parsed !== null && parsed.username === "" && parsed.password === "";
};

const url = z
  .url({ protocol: /^https?$/, message: "an address such as https://api.example.com/v1" })
  .max(2_000)
  .refine(isPlain, "leave user name and password out; use `auth`");

/** Where the description of an API comes from. */
export const ApiSourceSchema = z.discriminatedUnion("type", [
  /** A document of OpenAPI 3.0, 3.1 or Swagger 2. It is read again each day, and on request. */
  z.strictObject({ type: z.literal("url"), url }),
  /** The address of a GraphQL API, which is asked for its schema. */
  z.strictObject({ type: z.literal("graphql"), url }),
  /** The document itself: OpenAPI, a GraphQL schema, or a curl command. */
  z.strictObject({ type: z.literal("text"), text: z.string().min(1).max(MOST_DOCUMENT) }),
]);
export type ApiSource = z.infer<typeof ApiSourceSchema>;

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "a name of a header or parameter");
const prefix = z.string().max(64);

/**
 * How OVEN shows who it is to the API. Values are secrets, named as `POST /api/secrets` keeps them; their hosts must name the API's. With
 * `accounts: "own"` each person gives their own value, and no secret is named.
 */
export const ApiAuthSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  z.strictObject({
    type: z.literal("api-key"),
    in: z.enum(["header", "query"]),
    name: headerName,
    /** What stands before the value, such as `Token `. */
    prefix: prefix.optional(),
    secret: SecretNameSchema.optional(),
  }),
  z.strictObject({ type: z.literal("bearer"), secret: SecretNameSchema.optional() }),
  z.strictObject({
    type: z.literal("basic"),
    /** Empty with `accounts: "own"`: the value is `user:password`. */
    user: z.string().max(200).default(""),
    secret: SecretNameSchema.optional(),
  }),
  z.strictObject({
    /** A person signs in at the service's own page (authorization code with PKCE). */
    type: z.literal("oauth"),
    authorizationUrl: url,
    tokenUrl: url,
    clientId: z.string().min(1).max(500),
    /** Its hosts must name the token endpoint's. Absent: a public client. */
    clientSecret: SecretNameSchema.optional(),
    scope: z.string().max(4_000).default(""),
    /** Where the client's id and secret are sent. */
    clientIn: z.enum(["header", "body"]).default("header"),
    /** Further parameters of the sign-in page, such as `access_type: offline`. */
    parameters: z.record(z.string().max(100), z.string().max(1_000)).default({}),
  }),
  z.strictObject({
    type: z.literal("client-credentials"),
    tokenUrl: url,
    clientId: z.string().min(1).max(500),
    clientSecret: SecretNameSchema,
    scope: z.string().max(4_000).default(""),
    clientIn: z.enum(["header", "body"]).default("header"),
  }),
]);
export type ApiAuth = z.infer<typeof ApiAuthSchema>;

const settings = {
  name: SlugSchema,
  title: z.string().trim().max(200).nullable(),
  /** What the paths of the operations are appended to. */
  serverUrl: url,
  auth: ApiAuthSchema,
  /** Whose account is used: one of the tenant, or that of the person who started the run. */
  accounts: z.enum(["shared", "own"]),
  /** How long the API may be silent, in milliseconds. */
  timeoutMs: z.int().min(1_000).max(600_000),
  /** The largest answer, in bytes. */
  maxBytes: z.int().min(1_024).max(33_554_432),
  /** Of all processes together. */
  callsPerMinute: z.int().min(1).max(100_000),
  /** Null: as many as there are. */
  callsPerDay: z.int().min(1).max(100_000_000).nullable(),
  enabled: z.boolean(),
};

/** Whether a connection can be used, and what its document was like when it was last read. */
export const ApiConnectionStatusSchema = z.enum(["ok", "failing", "sign-in", "disabled"]);
export type ApiConnectionStatus = z.infer<typeof ApiConnectionStatusSchema>;

/** An API connection, as `GET /api/api-connections/[id]` answers it. */
export const ApiConnectionSchema = z.strictObject({
  id: z.int().positive(),
  tenantId: z.int().nullable(),
  ...settings,
  /** Where the document is read from; null: it was sent. */
  sourceUrl: z.string().nullable(),
  sourceType: z.enum(["url", "graphql", "text"]),
  /** Of the document as it was last read. */
  document: z.strictObject({
    kind: z.enum(["openapi", "graphql", "curl"]),
    formatVersion: z.string(),
    title: z.string(),
    version: z.string(),
    hash: z.string(),
    servers: z.array(z.strictObject({ url: z.string(), description: z.string() })),
    signIns: z.array(ApiSignInSchema),
    notes: z.array(z.string()),
  }),
  status: ApiConnectionStatusSchema,
  readAt: z.string(),
  /** Why the document could not be read again, in words; null: it could. */
  lastError: z.string().nullable(),
  nextCheckAt: z.string().nullable(),
  /** `changed` are approved operations that differ from what was approved; `waiting` counts them too. */
  operations: z.strictObject({
    total: z.int(),
    approved: z.int(),
    waiting: z.int(),
    changed: z.int(),
    vanished: z.int(),
    refused: z.int(),
  }),
  /** Whether the shared account is signed in; null: that needs nothing, or accounts are people's own. */
  signedIn: z.boolean().nullable(),
  createdBy: z.int().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ApiConnection = z.infer<typeof ApiConnectionSchema>;

/** Fields of a row that a client may send back; they are ignored. */
const readOnly = Object.fromEntries(
  Object.keys(ApiConnectionSchema.shape)
    .filter((key) => !(key in settings))
    .map((key) => [key, z.unknown().optional()]),
);

/** The body of `POST /api/api-connections`. */
export const CreateApiConnectionSchema = z.strictObject({
  ...readOnly,
  name: settings.name,
  title: settings.title.default(null),
  source: ApiSourceSchema,
  /** Absent: the document's first server. */
  serverUrl: url.optional(),
  auth: ApiAuthSchema.default({ type: "none" }),
  accounts: settings.accounts.default("shared"),
  timeoutMs: settings.timeoutMs.default(60_000),
  maxBytes: settings.maxBytes.default(2_097_152),
  callsPerMinute: settings.callsPerMinute.default(120),
  callsPerDay: settings.callsPerDay.default(null),
  enabled: settings.enabled.default(true),
});
export type CreateApiConnection = z.infer<typeof CreateApiConnectionSchema>;

/** What is left out stays. A `source` is read at once. */
export const UpdateApiConnectionSchema = z
  .strictObject({ ...readOnly, ...settings, source: ApiSourceSchema })
  .partial();
export type UpdateApiConnection = Partial<Pick<ApiConnection, keyof typeof settings>> & { source?: ApiSource };

/** The body of `POST /api/api-connections/inspect`. */
export const InspectApiSchema = z.strictObject({ source: ApiSourceSchema });

const OperationSummarySchema = ApiOperationSchema.pick({
  name: true,
  title: true,
  description: true,
  method: true,
  path: true,
  tags: true,
  deprecated: true,
  reads: true,
  problem: true,
});

/** What a document says, before anything is stored. */
export const ApiInspectionSchema = z.strictObject({
  ok: z.boolean(),
  /** Why it cannot be read, in words; null: it can. */
  error: z.string().nullable(),
  fix: z.string().nullable(),
  kind: z.enum(["openapi", "graphql", "curl"]).nullable(),
  title: z.string(),
  version: z.string(),
  description: z.string(),
  servers: z.array(z.strictObject({ url: z.string(), description: z.string() })),
  signIns: z.array(ApiSignInSchema),
  operations: z.array(OperationSummarySchema),
  notes: z.array(z.string()),
});
export type ApiInspection = z.infer<typeof ApiInspectionSchema>;

/** Whether an operation may be called: only while it is as it was approved. */
export const ApiOperationStateSchema = z.enum(["new", "approved", "changed", "vanished", "refused"]);
export type ApiOperationState = z.infer<typeof ApiOperationStateSchema>;

/** An operation of a connection, as lists show it. */
export const ApiConnectionOperationSchema = z.strictObject({
  id: z.int().positive(),
  connectionId: z.int().positive(),
  /** `api.{connection}.{operation}`, as bindings name it. */
  toolId: z.string(),
  ...OperationSummarySchema.shape,
  /** `new` and `changed` wait for an approval; `refused`: it cannot be called as the document describes it. */
  state: ApiOperationStateSchema,
  hash: z.string(),
  effect: EffectSchema,
  needsApproval: z.boolean(),
  /** Which calls need it, as CEL over `args`; null: each. */
  approvalWhen: z.string().nullable(),
  approvedBy: z.int().nullable(),
  approvedAt: z.string().nullable(),
});
export type ApiConnectionOperation = z.infer<typeof ApiConnectionOperationSchema>;

/** An operation of a connection with all that is pinned of it. */
export const ApiConnectionOperationDetailSchema = ApiConnectionOperationSchema.extend({
  listed: ApiOperationSchema,
  /** As it was approved; null: it was not. */
  approved: ApiOperationSchema.nullable(),
  /** What models do not see of its input schema, and what OVEN cannot check of it. */
  notes: z.array(SchemaNoteSchema),
});
export type ApiConnectionOperationDetail = z.infer<typeof ApiConnectionOperationDetailSchema>;

/** The body of `approve`. */
export const ApproveApiOperationsSchema = z.strictObject({
  /** As they were looked at: one that is another by now is not approved. */
  operations: z
    .array(z.strictObject({ id: z.int().positive(), hash: z.string() }))
    .min(1)
    .max(1_000),
  /** What repeating a call may do; absent: by the method of each. */
  effect: EffectSchema.optional(),
  /** Whether a person must approve each call of a model; absent: of those that write. */
  needsApproval: z.boolean().optional(),
  /** Which calls need it, as CEL over `args`; null: each. */
  approvalWhen: ApprovalConditionSchema.nullable().default(null),
});
export type ApproveApiOperations = z.infer<typeof ApproveApiOperationsSchema>;

/** What became of approving operations. */
export const ApprovedApiOperationsSchema = z.strictObject({
  approved: z.int(),
  /** Names of those that are no longer what was looked at. */
  changed: z.array(z.string()),
});
export type ApprovedApiOperations = z.infer<typeof ApprovedApiOperationsSchema>;

/** A person's own account at an API. */
export const ApiAccountSchema = z.strictObject({
  connectionId: z.int().positive(),
  connection: z.string(),
  /** Origin of the API, such as `https://api.example.com`. */
  origin: z.string(),
  /** `oauth`: they sign in at the service's own page; `value`: they give a key. */
  how: z.enum(["oauth", "value"]),
  connected: z.boolean(),
  connectedAt: z.string().nullable(),
});
export type ApiAccount = z.infer<typeof ApiAccountSchema>;

/** Who has connected an account, for those who may change the connection. */
export const ApiAccountOwnerSchema = z.strictObject({
  userId: z.int().positive(),
  connectedAt: z.string(),
});
export type ApiAccountOwner = z.infer<typeof ApiAccountOwnerSchema>;

/** The body of `PUT /api/api-connections/[id]/account`. */
export const ConnectApiAccountSchema = z.strictObject({
  value: z
    .string()
    .min(8, "at least 8 characters")
    .max(8_192)
    .regex(/^[\x20-\x7e]+$/, "one line of printable ASCII"),
});

/** Where a person signs in. */
export const ApiAuthorizationSchema = z.strictObject({ url: z.string() });
