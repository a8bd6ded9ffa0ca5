import { createdAtColumn, idColumn, updatedAtColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";
import { sessions, users } from "./users.table.ts";

/* Tables of better-auth's OAuth provider, with ids made by the database and the tenant on every row. */

/** Of a client or an address: they belong to nobody. What belongs to a user gets their tenant from a trigger. */
const tenantId = () => integer("tenant_id").notNull().default(0);
const moment = (name: string) => timestamp(name, { withTimezone: true });
const clientId = () =>
  text("client_id")
    .notNull()
    .references(() => oauthClients.clientId, { onDelete: "cascade" });
const userId = () => bigint("user_id", { mode: "number" }).references(() => users.id, { onDelete: "cascade" });
const sessionId = () =>
  bigint("session_id", { mode: "number" }).references(() => sessions.id, { onDelete: "set null" });

/** Programs that asked to be known (RFC 7591). */
export const oauthClients = pgTable("oauth_clients", {
  id: idColumn(),
  tenantId: tenantId(),
  clientId: text("client_id").notNull().unique(),
  /** Sealed; null for a program that can keep none. */
  clientSecret: text("client_secret"),
  clientDiscoveryId: text("client_discovery_id"),
  disabled: boolean("disabled").default(false),
  skipConsent: boolean("skip_consent"),
  enableEndSession: boolean("enable_end_session"),
  subjectType: text("subject_type"),
  scopes: text("scopes").array(),
  clientCredentialsScopes: text("client_credentials_scopes").array().default(sql`'{}'`),
  userId: userId(),
  name: text("name"),
  uri: text("uri"),
  icon: text("icon"),
  contacts: text("contacts").array(),
  tos: text("tos"),
  policy: text("policy"),
  softwareId: text("software_id"),
  softwareVersion: text("software_version"),
  softwareStatement: text("software_statement"),
  redirectUris: text("redirect_uris").array().notNull(),
  postLogoutRedirectUris: text("post_logout_redirect_uris").array(),
  backchannelLogoutUri: text("backchannel_logout_uri"),
  backchannelLogoutSessionRequired: boolean("backchannel_logout_session_required"),
  tokenEndpointAuthMethod: text("token_endpoint_auth_method"),
  applicationType: text("application_type"),
  jwks: text("jwks"),
  jwksUri: text("jwks_uri"),
  grantTypes: text("grant_types").array(),
  responseTypes: text("response_types").array(),
  requirePKCE: boolean("require_pkce"),
  dpopBoundAccessTokens: boolean("dpop_bound_access_tokens").default(false),
  referenceId: text("reference_id"),
  metadata: jsonb("metadata"),
  createdAt: createdAtColumn(),
  updatedAt: updatedAtColumn(),
});

/** Addresses that tokens are made for (RFC 8707): those of MCP servers that somebody connected to. */
export const oauthResources = pgTable("oauth_resources", {
  id: idColumn(),
  tenantId: tenantId(),
  identifier: text("identifier").notNull().unique(),
  name: text("name").notNull(),
  accessTokenTtl: integer("access_token_ttl"),
  refreshTokenTtl: integer("refresh_token_ttl"),
  signingAlgorithm: text("signing_algorithm"),
  signingKeyId: text("signing_key_id"),
  allowedScopes: text("allowed_scopes").array(),
  customClaims: jsonb("custom_claims"),
  dpopBoundAccessTokensRequired: boolean("dpop_bound_access_tokens_required").default(false),
  disabled: boolean("disabled").default(false),
  policyVersion: integer("policy_version").default(1),
  metadata: jsonb("metadata"),
  createdAt: createdAtColumn(),
  updatedAt: updatedAtColumn(),
});

/** What a token is good for and for whom; `token` is base64url(SHA-256(token)). */
const grantColumns = () => ({
  id: idColumn(),
  tenantId: tenantId(),
  token: text("token").notNull().unique(),
  clientId: clientId(),
  sessionId: sessionId(),
  userId: userId(),
  referenceId: text("reference_id"),
  authorizationCodeId: text("authorization_code_id"),
  resources: text("resources").array(),
  requestedUserInfoClaims: text("requested_user_info_claims").array(),
  expiresAt: moment("expires_at").notNull(),
  createdAt: createdAtColumn(),
  revoked: moment("revoked"),
  confirmation: jsonb("confirmation"),
  scopes: text("scopes").array().notNull(),
});

export const oauthRefreshTokens = pgTable(
  "oauth_refresh_tokens",
  {
    ...grantColumns(),
    rotatedAt: moment("rotated_at"),
    rotationReplayResponse: text("rotation_replay_response"),
    rotationReplayExpiresAt: moment("rotation_replay_expires_at"),
    authTime: moment("auth_time"),
  },
  (table) => [
    index("oauth_refresh_tokens_user").on(table.userId, table.clientId),
    index("oauth_refresh_tokens_code").on(table.authorizationCodeId),
  ],
);

export const oauthAccessTokens = pgTable(
  "oauth_access_tokens",
  {
    ...grantColumns(),
    refreshId: bigint("refresh_id", { mode: "number" }).references(() => oauthRefreshTokens.id, {
      onDelete: "cascade",
    }),
  },
  (table) => [
    index("oauth_access_tokens_user").on(table.userId, table.clientId),
    index("oauth_access_tokens_code").on(table.authorizationCodeId),
  ],
);

/** What a person has allowed a program. */
export const oauthConsents = pgTable(
  "oauth_consents",
  {
    id: idColumn(),
    tenantId: tenantId(),
    clientId: clientId(),
    userId: userId(),
    referenceId: text("reference_id"),
    resources: text("resources").array(),
    requestedUserInfoClaims: text("requested_user_info_claims").array(),
    scopes: text("scopes").array().notNull(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("oauth_consents_user").on(table.userId, table.clientId)],
);

/** Asked for by the provider; here every program may ask for every address. */
export const oauthClientResources = pgTable(
  "oauth_client_resources",
  {
    id: idColumn(),
    tenantId: tenantId(),
    clientId: clientId(),
    resourceId: text("resource_id")
      .notNull()
      .references(() => oauthResources.identifier, { onDelete: "cascade" }),
    metadata: jsonb("metadata"),
    createdAt: createdAtColumn(),
  },
  (table) => [uniqueIndex("oauth_client_resources_pair").on(table.clientId, table.resourceId)],
);

/** Asked for by the provider; clients that sign assertions are not registered here. */
export const oauthClientAssertions = pgTable("oauth_client_assertions", {
  id: text("id").primaryKey(),
  tenantId: tenantId(),
  expiresAt: moment("expires_at").notNull(),
});
