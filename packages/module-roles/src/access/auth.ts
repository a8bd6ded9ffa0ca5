import { hkdfSync } from "node:crypto";
import { apiKey } from "@better-auth/api-key";
import type { Database } from "@oven/db";
import type { RuntimeEnvironment } from "@oven/module-registry";
import { APIError, betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { genericOAuth } from "better-auth/plugins";
import { MAX_KEY_DAYS, newKey } from "../keys/key-format.ts";
import { oauthPlugin } from "../oauth/oauth-plugin.ts";
import {
  accounts,
  apiKeys,
  oauthAccessTokens,
  oauthClientAssertions,
  oauthClientResources,
  oauthClients,
  oauthConsents,
  oauthRefreshTokens,
  oauthResources,
  passkeys,
  sessions,
  twoFactors,
  users,
  verifications,
} from "../schema.ts";
import { appPlugin, passkeyPlugin } from "../second-factor/plugins.ts";
import { factorAt } from "../second-factor/session-factor.ts";
import { TENANT_OF_U_IS_OPEN } from "../tenants/tenant-is-open.ts";
import { withHashedSessions } from "./hashed-sessions.ts";

/** Sign-in at an OpenID Connect provider. */
export interface OidcSettings {
  /** `https://id.example.com`; its `/.well-known/openid-configuration` is read. */
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** better-auth's id of that provider: part of the redirect URL registered there. */
export const OIDC_PROVIDER = "oidc";

/** With what a session was made, see session-factor.ts. */
const FACTOR_FIELD = { secondFactor: { type: "string", required: false, input: false } } as const;

/** The library knows no tenants: its rows get that of their user. */
const TENANT_FIELD = { tenantId: { type: "number", required: false, input: false } } as const;

/** better-auth over our tables: e-mail and password, sessions, API keys, OAuth. There is no sign-up. */
export function createAuth(
  db: Database,
  environment: Pick<RuntimeEnvironment, "publicUrl" | "secret" | "previousSecrets">,
  { oidc, permissions }: { oidc: OidcSettings | undefined; permissions: readonly string[] },
) {
  const origin = new URL(environment.publicUrl);
  return betterAuth({
    appName: "OVEN",
    baseURL: environment.publicUrl,
    basePath: "/api/auth",
    ...secretsOf(environment),
    trustedOrigins: [origin.origin, ...loopbackTwin(origin)],
    database: withHashedSessions(
      drizzleAdapter(db.orm, {
        provider: "pg",
        schema: {
          user: users,
          session: sessions,
          account: accounts,
          verification: verifications,
          apikey: apiKeys,
          oauthClient: oauthClients,
          oauthClientResource: oauthClientResources,
          oauthClientAssertion: oauthClientAssertions,
          oauthResource: oauthResources,
          oauthAccessToken: oauthAccessTokens,
          oauthRefreshToken: oauthRefreshTokens,
          oauthConsent: oauthConsents,
          twoFactor: twoFactors,
          passkey: passkeys,
        },
      }),
    ),
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10 },
    session: {
      cookieCache: { enabled: false },
      additionalFields: { ...TENANT_FIELD, ...FACTOR_FIELD },
      // What the library would ask to be fresh asks for the password here: see proof.ts.
      freshAge: 0,
    },
    // Only an address that the provider has verified finds its user here; nobody is made by signing in.
    account: { additionalFields: TENANT_FIELD, accountLinking: { enabled: true, trustedProviders: [] } },
    // Ours is in sign-in.routes.ts: it counts per account and per address, in every mode.
    rateLimit: { enabled: false },
    databaseHooks: {
      session: {
        create: {
          before: async (session, context) => {
            const [user] = await db.query<{ tenant_id: number; disabled: boolean }>(
              `select tenant_id, disabled_at is not null or not (${TENANT_OF_U_IS_OPEN}) as disabled from users u where id = $1`,
              [Number(session.userId)],
            );
            if (user === undefined || user.disabled) {
              throw new APIError("FORBIDDEN", { code: "USER_DISABLED", message: "This user is disabled" });
            }
            const before = context?.context.session?.session.secondFactor;
            const secondFactor = factorAt(context?.path, typeof before === "string" ? before : null);
            return { data: { ...session, tenantId: user.tenant_id, secondFactor } };
          },
        },
      },
      account: {
        create: {
          before: async (account) => {
            const [user] = await db.query<{ tenant_id: number }>("select tenant_id from users where id = $1", [
              Number(account.userId),
            ]);
            return { data: { ...account, tenantId: user?.tenant_id } };
          },
        },
      },
    },
    advanced: {
      cookiePrefix: "oven",
      useSecureCookies: origin.protocol === "https:",
      database: { generateId: "serial" },
      // Left out, a variable of the environment such as TEST=1 would switch both off.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    telemetry: { enabled: false },
    logger: { level: "error", log: logLine },
    plugins: [
      apiKey({
        defaultPrefix: "oven_",
        customKeyGenerator: () => newKey(),
        enableSessionForAPIKeys: false,
        // The library's default is ten requests a day.
        rateLimit: { enabled: false },
        // Days; its default is one year.
        keyExpiration: { maxExpiresIn: MAX_KEY_DAYS },
        startingCharactersConfig: { charactersLength: 10 },
      }),
      oauthPlugin(environment.publicUrl, permissions),
      appPlugin(),
      passkeyPlugin(environment.publicUrl),
      ...(oidc === undefined ? [] : [oidcPlugin(oidc)]),
    ],
  });
}

/**
 * The present secret encrypts, and those before it still decrypt. Each has a number of its own, by which what it encrypted is
 * known. What was encrypted before there were numbers is decrypted with the present one.
 */
function secretsOf({ secret, previousSecrets = [] }: Pick<RuntimeEnvironment, "secret" | "previousSecrets">) {
  const all = [...new Set([secret, ...previousSecrets])];
  const version = (value: string) =>
    Buffer.from(hkdfSync("sha256", value, "", "oven secret version", 4)).readUInt32BE();
  return { secret, secrets: all.map((value) => ({ version: version(value), value })) };
}

function oidcPlugin({ issuer, clientId, clientSecret }: OidcSettings) {
  return genericOAuth({
    config: [
      {
        providerId: OIDC_PROVIDER,
        discoveryUrl: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        scopes: ["openid", "email", "profile"],
        pkce: true,
        disableSignUp: true,
        requireIdTokenVerification: true,
        mapProfileToUser: (profile) => ({ emailVerified: profile.email_verified === true }),
      },
    ],
  });
}

/** What the library says of a passkey that it refuses: strangers can have it said as often as they like. */
const REFUSED_PASSKEY = /^Failed to verify (authentication|registration)$/;

function logLine(_level: string, message: string, ...details: unknown[]): void {
  // The details would be a stack, and words of the stranger's own.
  console.error(`[better-auth] ${message}`, ...(REFUSED_PASSKEY.test(message) ? [] : details));
}

export type Auth = ReturnType<typeof createAuth>;

/** On one machine localhost and 127.0.0.1 are the same server. */
function loopbackTwin({ protocol, hostname, port }: URL): string[] {
  const twin = { localhost: "127.0.0.1", "127.0.0.1": "localhost" }[hostname];
  return twin === undefined ? [] : [`${protocol}//${twin}${port === "" ? "" : `:${port}`}`];
}
