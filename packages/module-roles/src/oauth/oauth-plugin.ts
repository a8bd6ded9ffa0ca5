import { oauthProvider } from "@better-auth/oauth-provider";
import { ACCESS_TOKEN_PREFIX, OFFLINE, REFRESH_TOKEN_PREFIX } from "./oauth-tokens.ts";

/** Where a person is asked, in the dashboard. */
export const CONSENT_PAGE = "/connect";

const HOUR = 3_600;

/**
 * better-auth as the authorization server of the MCP servers here (OAuth 2.1): codes with PKCE and refresh tokens, nothing
 * else. Tokens are opaque: each use looks them up, so that what is revoked, or whoever is disabled, stops at once.
 * @param permissions the scopes are the permissions of the installed modules
 */
export function oauthPlugin(publicUrl: string, permissions: readonly string[]) {
  const page = new URL(CONSENT_PAGE, publicUrl).href;
  return oauthProvider({
    scopes: [...permissions, OFFLINE],
    grantTypes: ["authorization_code", "refresh_token"],
    loginPage: page,
    consentPage: page,
    disableJwtPlugin: true,
    storeClientSecret: "encrypted",
    storeTokens: "hashed",
    prefix: { opaqueAccessToken: ACCESS_TOKEN_PREFIX, refreshToken: REFRESH_TOKEN_PREFIX, clientSecret: "oven_cs_" },
    accessTokenExpiresIn: HOUR,
    refreshTokenExpiresIn: 30 * 24 * HOUR,
    codeExpiresIn: 300,
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    clientRegistrationRequirePKCE: true,
    // Which addresses there are is decided before this is asked: see oauth-endpoints.ts.
    enforcePerClientResources: false,
    // Counted by requestLimits, in every mode.
    rateLimit: { token: false, authorize: false, introspect: false, revoke: false, register: false, userinfo: false },
  });
}
