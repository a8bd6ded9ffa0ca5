import { type JsonObject, JsonObjectSchema, OvenError, readJson } from "@oven/contract";
import type { ApiAuth } from "@oven/contract/api";
import type { OutboundService, SecretService } from "@oven/module-registry";
import * as oauth from "oauth4webapi";
import { z } from "zod";
import type { Account } from "./account-store.ts";

export type OAuthSettings = Extract<ApiAuth, { type: "oauth" | "client-credentials" }>;

interface Deps {
  outbound: OutboundService;
  secrets: Pick<SecretService, "use">;
  /** Origins that the operator allows, also without encryption. */
  allow: readonly string[];
}

/** Of an answer of a token endpoint. Some services send numbers as text, and more than the standard says. */
const TokensSchema = z.looseObject({
  access_token: z.string().min(1).max(16_384).optional(),
  refresh_token: z.string().min(1).max(16_384).optional(),
  expires_in: z.coerce.number().positive().max(1e9).optional().catch(undefined),
  error: z.string().optional(),
  error_description: z.string().optional().catch(undefined),
});

const TIMEOUT_MS = 30_000;
const MOST_BYTES = 262_144;
const MOST_WORDS = 300;

/** Speaks with token endpoints: takes tokens for codes, renews them, and signs in by the client's own id and secret. */
export class OAuthClient {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Where a person signs in.
   * @param verifier of PKCE; only its challenge is sent
   */
  async signInUrl(
    { authorizationUrl, clientId, scope, parameters }: Extract<ApiAuth, { type: "oauth" }>,
    { redirectUri, state, verifier }: { redirectUri: string; state: string; verifier: string },
  ): Promise<string> {
    const url = new URL(authorizationUrl);
    const ours = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(scope === "" ? {} : { scope }),
    };
    for (const [name, value] of Object.entries({ ...parameters, ...ours })) url.searchParams.set(name, value);
    return url.href;
  }

  /** @throws OvenError API_SIGN_IN_FAILED, OUTBOUND_*, SECRET_* */
  async exchange(
    tenantId: number,
    settings: OAuthSettings,
    { code, redirectUri, verifier }: { code: string; redirectUri: string; verifier: string },
    signal: AbortSignal,
  ): Promise<Account> {
    const parameters = { code, redirect_uri: redirectUri, code_verifier: verifier };
    return this.#take(tenantId, settings, "authorization_code", parameters, signal);
  }

  /** @throws OvenError API_SIGN_IN_FAILED where the API renews it no more; OUTBOUND_*, SECRET_* */
  async renew(tenantId: number, settings: OAuthSettings, refreshToken: string, signal: AbortSignal): Promise<Account> {
    const account = await this.#take(tenantId, settings, "refresh_token", { refresh_token: refreshToken }, signal);
    return { refreshToken, ...account };
  }

  /** @throws OvenError API_SIGN_IN_FAILED, OUTBOUND_*, SECRET_* */
  async signInAsClient(tenantId: number, settings: OAuthSettings, signal: AbortSignal): Promise<Account> {
    const { scope } = settings;
    return this.#take(tenantId, settings, "client_credentials", scope === "" ? {} : { scope }, signal);
  }

  async #take(
    tenantId: number,
    settings: OAuthSettings,
    grant: string,
    parameters: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Account> {
    const { tokenUrl, clientId } = settings;
    const { origin, host } = new URL(tokenUrl);
    const response = await oauth.genericTokenEndpointRequest(
      { issuer: origin, token_endpoint: tokenUrl },
      { client_id: clientId },
      await this.#clientAuth(tenantId, settings, host),
      grant,
      parameters,
      {
        signal,
        // Which origins may be reached without encryption, the way out decides.
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: (url, init) => this.#fetch(url, init),
      },
    );
    return toAccount(origin, response.status, await response.text());
  }

  async #clientAuth(tenantId: number, settings: OAuthSettings, host: string): Promise<oauth.ClientAuth> {
    const { clientSecret, clientIn } = settings;
    if (clientSecret === undefined) return oauth.None();
    const secret = await this.#deps.secrets.use(tenantId, `secret:${clientSecret}`, host);
    return clientIn === "body" ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
  }

  #fetch(target: string, { body, headers, method, signal }: oauth.CustomFetchOptions<string, URLSearchParams>) {
    const { origin, protocol } = new URL(target);
    if (protocol !== "https:" && !this.#deps.allow.includes(origin))
      throw new OvenError("OUTBOUND_REFUSED", `${origin} is not encrypted, and would show a credential`, {
        status: 422,
        fix: "Use the https address; an operator may allow the origin with OVEN_OUTBOUND_ALLOW.",
      });
    return this.#deps.outbound.fetch(target, {
      method,
      headers: { ...headers, accept: "application/json" },
      body: body.toString(),
      ...(signal === undefined ? {} : { signal }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
      // What is sent here is a credential.
      maxRedirects: 0,
    });
  }
}

function toAccount(origin: string, status: number, text: string): Account {
  const answer = TokensSchema.safeParse(toObject(text));
  const { access_token, refresh_token, expires_in, error, error_description } = answer.data ?? {};
  if (access_token === undefined || error !== undefined) {
    const why = error_description ?? error ?? `it answered ${status} without a token`;
    throw signInFailed(`${origin} gave no token: ${why.slice(0, MOST_WORDS)}`);
  }
  return {
    value: access_token,
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    ...(expires_in === undefined ? {} : { expiresAt: Date.now() + expires_in * 1_000 }),
  };
}

/** Some services answer in JSON, some as a form. */
function toObject(text: string): JsonObject {
  try {
    const parsed = JsonObjectSchema.safeParse(readJson(text).value);
    if (parsed.success) return parsed.data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return Object.fromEntries(new URLSearchParams(text));
}

export function signInFailed(message: string): OvenError {
  return new OvenError("API_SIGN_IN_FAILED", message, { status: 422, fix: "Sign in again at the connection's page." });
}
