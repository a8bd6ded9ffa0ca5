import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An OpenID Connect provider on loopback that signs in whoever `profile` says. */
export class OidcProvider {
  profile: Record<string, unknown> = {};
  nonce = "";
  readonly #keys = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  readonly #client: string;
  readonly #server: Server;

  constructor(client: string) {
    this.#client = client;
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", this.issuer);
      if (url.pathname === "/authorize") return this.#sendBack(url.searchParams, response);
      const path = url.pathname;
      response.setHeader("content-type", "application/json");
      return response.end(JSON.stringify(this.#answer(path)));
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // cast: it listens on TCP
  }

  /** As if the person had signed in there before. */
  #sendBack(asked: URLSearchParams, response: ServerResponse): void {
    this.nonce = asked.get("nonce") ?? "";
    const back = new URL(asked.get("redirect_uri") ?? "");
    back.search = String(new URLSearchParams({ code: "c", state: asked.get("state") ?? "" }));
    response.writeHead(302, { location: back.href }).end();
  }

  #answer(path: string): unknown {
    const { issuer } = this;
    if (path === "/.well-known/openid-configuration")
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ["RS256"],
      };
    if (path === "/jwks")
      return { keys: [{ ...this.#keys.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] };
    if (path === "/token")
      return { access_token: "access", token_type: "Bearer", expires_in: 300, id_token: this.#idToken() };
    return this.profile;
  }

  #idToken(): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: this.issuer,
      aud: this.#client,
      iat: now,
      exp: now + 300,
      nonce: this.nonce,
      ...this.profile,
    };
    const head = [{ alg: "RS256", kid: "1", typ: "JWT" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    return `${head}.${sign("sha256", Buffer.from(head), this.#keys.privateKey).toString("base64url")}`;
  }
}
