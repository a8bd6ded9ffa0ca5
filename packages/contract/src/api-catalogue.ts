import { z } from "zod";
import { SlugSchema } from "./ids.ts";

const httpsUrl = z.url({ protocol: /^https$/ }).max(500);
/** A sentence of the catalogue. */
const sentence = z.string().min(3).max(300);
const scope = z.string().max(1_000);
const clientIn = z.enum(["header", "body"]);

/** What a service is mainly for; the chips of the catalogue. */
export const ServiceCategorySchema = z.enum([
  "communication",
  "work",
  "customers",
  "money",
  "files",
  "development",
  "operations",
  "ai",
]);
export type ServiceCategory = z.infer<typeof ServiceCategorySchema>;

/** How a connection to a service signs in: `ApiAuth` without what only the tenant has (secrets, the client's id). */
export const ServiceAuthSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  z.strictObject({
    type: z.literal("api-key"),
    in: z.enum(["header", "query"]),
    name: z.string().min(1).max(100),
    /** What stands before the value, such as `Token `. */
    prefix: z.string().max(64).optional(),
  }),
  z.strictObject({ type: z.literal("bearer") }),
  /** `user`: where the service takes the same one from all. */
  z.strictObject({ type: z.literal("basic"), user: z.string().max(200).optional() }),
  z.strictObject({
    type: z.literal("oauth"),
    authorizationUrl: httpsUrl,
    tokenUrl: httpsUrl,
    /** No more than `operations` of the service need. */
    scope,
    clientIn,
    /** Further parameters of the sign-in page, such as `access_type: offline`. */
    parameters: z.record(z.string().max(100), z.string().max(1_000)),
  }),
  z.strictObject({ type: z.literal("client-credentials"), tokenUrl: httpsUrl, scope, clientIn }),
]);
export type ServiceAuth = z.infer<typeof ServiceAuthSchema>;

const texts = {
  description: sentence,
  /** Where a key or client is made, and what else to do before it can be connected. */
  steps: z.array(sentence).min(1).max(5),
  /** What to know before connecting it. */
  notes: z.array(sentence).max(5),
};

const common = {
  ...texts,
  slug: SlugSchema,
  /** As the service calls itself. */
  name: z.string().min(1).max(60),
  category: ServiceCategorySchema,
  documentation: httpsUrl,
  /** Its texts in other languages than English, each whole. */
  translations: z.strictObject({ de: z.strictObject(texts) }),
  /** When its addresses were last looked at, as `YYYY-MM-DD`. */
  checkedAt: z.iso.date(),
};

/** A service of the catalogue. Nothing of it is asked for before a person says so. */
export const CataloguedServiceSchema = z.union([
  z.strictObject({
    ...common,
    /** A document of OpenAPI, or a GraphQL API. */
    source: z.strictObject({ type: z.enum(["url", "graphql"]), url: httpsUrl }),
    /** The connection's server, whatever the document says. */
    serverUrl: httpsUrl,
    auth: ServiceAuthSchema,
    /** Operations that are proposed first: `GET /orders/{id}`, whatever its parameters are called, or the name of the operation. */
    operations: z
      .array(z.string().regex(/^((GET|POST|PUT|PATCH|DELETE) \/\S*|[A-Za-z]\w*)$/))
      .min(1)
      .max(12),
  }),
  z.strictObject({
    ...common,
    source: z.strictObject({ type: z.literal("mcp"), url: httpsUrl, auth: z.enum(["none", "bearer", "oauth"]) }),
  }),
]);
export type CataloguedService = z.infer<typeof CataloguedServiceSchema>;
/** A service whose operations are described by a document. */
export type CataloguedApi = Extract<CataloguedService, { serverUrl: string }>;

/** A server of MCP that is proposed to be connected, as one page hands it to another. */
export const ProposedMcpServerSchema = z.strictObject({
  name: SlugSchema,
  title: z.string().max(60),
  url: httpsUrl,
  auth: z.enum(["none", "bearer", "oauth"]),
});
export type ProposedMcpServer = z.infer<typeof ProposedMcpServerSchema>;
