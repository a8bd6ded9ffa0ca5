import { createHash, randomBytes } from "node:crypto";
import type { TestOven } from "@oven/testing";
import { expect } from "vitest";
import type { McpEndpoint } from "./mcp-endpoint.ts";

const REDIRECT = "http://127.0.0.1:9/callback";

export interface Tokens {
  access_token: string;
  refresh_token?: string;
  scope: string;
  expires_in: number;
}

/** Somebody who is signed in and can let programs in. */
export interface OAuthPerson {
  id: number;
  cookie: string;
  /** The way of a browser: asks, allows, follows the redirect. */
  allow(clientId: string, options: AskOptions): Promise<{ code: string; verifier: string; redirected: URL }>;
  /** Allows what a program asks for at this address. */
  consent(url: URL): Promise<{ code: string; redirected: URL }>;
  /** Denies it. */
  deny(url: URL): Promise<{ code: string; redirected: URL }>;
  /** The whole way to a token, by a new program. */
  connect(options: AskOptions): Promise<Tokens & { clientId: string }>;
  /** The first step alone, with the answer as it is. */
  ask(clientId: string, options: AskOptions & { challenge?: string }): Promise<Response>;
}

interface AskOptions {
  resource?: string | undefined;
  scope?: string;
  deny?: boolean;
}

/** A program on the person's computer, as the SDKs' clients want it: it keeps what it is given, and opens a browser. */
export class Program {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: "A program of the SDK",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
  };
  asked: URL | undefined;
  #client: unknown;
  #tokens: unknown;
  #verifier = "";
  #discovered: unknown;

  clientInformation(): unknown {
    return this.#client;
  }
  saveClientInformation(client: unknown): void {
    this.#client = client;
  }
  tokens(): unknown {
    return this.#tokens;
  }
  saveTokens(tokens: unknown): void {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  discoveryState(): unknown {
    return this.#discovered;
  }
  saveDiscoveryState(state: unknown): void {
    this.#discovered = state;
  }
}

export async function registerClient(endpoint: McpEndpoint, more: object = {}): Promise<Response> {
  return fetch(`${endpoint.origin}/api/auth/oauth2/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Desk helper",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
      ...more,
    }),
  });
}

export async function exchange(endpoint: McpEndpoint, fields: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams(fields);
  return fetch(`${endpoint.origin}/api/auth/oauth2/token`, { method: "POST", body });
}

export async function joinPerson(endpoint: McpEndpoint, email: string, roles: string[]): Promise<OAuthPerson> {
  const { oven, origin } = endpoint;
  const cookie = await invite(oven, email, roles);
  const headers = { cookie, origin };
  const [row] = await oven.db.query<{ id: number }>("select id from users where email = $1", [email]);

  const ask: OAuthPerson["ask"] = (clientId, { resource, scope = "agent-workflows.execute", challenge }) => {
    const query = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: REDIRECT,
      scope,
      state: "state-of-the-client",
      ...(challenge === undefined ? {} : { code_challenge: challenge, code_challenge_method: "S256" }),
      ...(resource === undefined ? {} : { resource }),
    });
    return fetch(`${origin}/api/auth/oauth2/authorize?${query}`, { headers, redirect: "manual" });
  };
  const answer = async (asked: Response, accept: boolean) => {
    const page = new URL(asked.headers.get("location") ?? "about:blank", origin);
    expect(page.pathname, await asked.text()).toBe("/connect");
    const answered = await fetch(`${origin}/api/auth/oauth2/consent`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ accept, oauth_query: page.search.slice(1) }),
    });
    const { url } = (await answered.json()) as { url: string }; // cast: where the browser is sent
    const redirected = new URL(url);
    return { code: redirected.searchParams.get("code") ?? "", redirected };
  };
  const allow: OAuthPerson["allow"] = async (clientId, options) => {
    const verifier = randomBytes(32).toString("base64url");
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    return { verifier, ...(await answer(await ask(clientId, { ...options, challenge }), options.deny !== true)) };
  };
  return {
    id: row?.id ?? 0,
    cookie,
    ask,
    allow,
    consent: async (url) => answer(await fetch(url, { headers, redirect: "manual" }), true),
    deny: async (url) => answer(await fetch(url, { headers, redirect: "manual" }), false),
    connect: async (options) => {
      const registered = await registerClient(endpoint);
      const { client_id: clientId, ...more } = (await registered.json()) as { client_id: string }; // cast: RFC 7591
      expect(registered.status, JSON.stringify(more)).toBe(201);
      const { code, verifier } = await allow(clientId, options);
      const answer = await exchange(endpoint, {
        grant_type: "authorization_code",
        client_id: clientId,
        code,
        code_verifier: verifier,
        redirect_uri: REDIRECT,
        resource: options.resource ?? "",
      });
      const tokens = (await answer.json()) as Tokens; // cast: RFC 6749
      expect(answer.status, JSON.stringify(tokens)).toBe(200);
      return { ...tokens, clientId };
    },
  };
}

async function invite(oven: TestOven, email: string, roles: string[]): Promise<string> {
  const invited = await oven.call("POST", "invitations", { email, roles });
  const token = new URL(invited.body.link).searchParams.get("token");
  const joined = await oven.call("POST", "invitations/accept", {
    token,
    name: email,
    password: "correct horse battery",
  });
  return joined.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
