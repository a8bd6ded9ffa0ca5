import { createHash, randomUUID } from "node:crypto";
import { type OutsideServer, startOutsideServer } from "@oven/testing";

export interface AuthorizationServer extends OutsideServer {
  /** Token requests, as they were sent. */
  exchanges: { params: URLSearchParams; authorization: string | null }[];
  /** Names under which clients registered. */
  registered: string[];
  /** Takes back every token that was given. */
  revoke(): void;
}

/** A resource (`/mcp`, answered by `resource`) and its authorization server in one: registration, codes with PKCE, client credentials. */
export async function startAuthorizationServer(
  resource: (request: Request) => Promise<Response>,
): Promise<AuthorizationServer> {
  const exchanges: AuthorizationServer["exchanges"] = [];
  const registered: string[] = [];
  const tokens = new Set<string>();
  const codes = new Map<string, string>();
  const refreshes = new Set<string>();
  const give = () => {
    const token = `token-${randomUUID()}`;
    const refresh = `refresh-${randomUUID()}`;
    tokens.add(token);
    refreshes.add(refresh);
    return Response.json({ access_token: token, token_type: "Bearer", expires_in: 3_600, refresh_token: refresh });
  };
  const server = await startOutsideServer(async (request) => {
    const { pathname, origin, searchParams } = new URL(request.url);
    if (pathname.startsWith("/.well-known/oauth-protected-resource"))
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (pathname === "/.well-known/oauth-authorization-server") {
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
        token_endpoint_auth_methods_supported: ["none", "client_secret_basic"],
        code_challenge_methods_supported: ["S256"],
      });
    }
    if (pathname === "/register") {
      const body = JSON.parse(await request.text());
      registered.push(body.client_name);
      return Response.json({ ...body, client_id: `client-${registered.length}` }, { status: 201 });
    }
    if (pathname === "/authorize") {
      const code = randomUUID();
      codes.set(code, searchParams.get("code_challenge") ?? "");
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", code);
      back.searchParams.set("state", searchParams.get("state") ?? "");
      return new Response(null, { status: 302, headers: { location: back.href } });
    }
    if (pathname === "/token") {
      const params = new URLSearchParams(await request.text());
      exchanges.push({ params, authorization: request.headers.get("authorization") });
      const refused = Response.json({ error: "invalid_grant" }, { status: 400 });
      switch (params.get("grant_type")) {
        case "authorization_code": {
          const proof = createHash("sha256")
            .update(params.get("code_verifier") ?? "")
            .digest("base64url");
          return codes.get(params.get("code") ?? "") === proof ? give() : refused;
        }
        case "refresh_token":
          return refreshes.delete(params.get("refresh_token") ?? "") ? give() : refused;
        default:
          return give();
      }
    }
    const [, token = ""] = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
    if (tokens.has(token)) return resource(request);
    const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    return new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
  });
  return {
    ...server,
    exchanges,
    registered,
    revoke: () => {
      tokens.clear();
      refreshes.clear();
    },
  };
}
