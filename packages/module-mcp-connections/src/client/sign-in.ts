import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import { getOwn, OvenError } from "@oven/contract";

type Tokens = Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
type Registration = Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;
type Discovery = Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>;

/** What a connection that signs in has to remember; kept sealed. */
export interface SignInMemory {
  tokens?: NonNullable<Tokens>;
  /** By authorization server: what one of them issued is never shown to another. */
  registrations?: Record<string, NonNullable<Registration>>;
  verifier?: string;
  /** The sign-in that is under way: who began it, as `user:7`, and when, in milliseconds. */
  begun?: { state: string; by: string; at: number };
  /** What a server asked for beyond what we have: the next sign-in asks for it. */
  wantedScope?: string;
  discovery?: NonNullable<Discovery>;
}

export interface SignInStore {
  read(): Promise<SignInMemory>;
  write(memory: SignInMemory): Promise<void>;
}

export interface SignInOptions {
  store: SignInStore;
  /** Where the authorization server sends the person back to; absent: nobody signs in (client credentials). */
  redirectUrl?: string;
  scope?: string | undefined;
  clientId?: string | undefined;
  /** The secret of `clientId`, for the one host that it is bound to. */
  clientSecret?: ((host: string) => Promise<string>) | undefined;
  /** Address of our own description as a client, where authorization servers take one. */
  clientMetadataUrl?: string | undefined;
  state?: () => string;
}

export interface SignIn extends OAuthClientProvider {
  /** Where the person has to go, once the client has asked for it. */
  readonly wanted: URL | undefined;
}

/** Signs OVEN in at a server: authorization code with PKCE after registering itself, or client credentials. */
export function createSignIn(options: SignInOptions): SignIn {
  const { store, redirectUrl, scope, clientId, clientSecret, clientMetadataUrl, state } = options;
  const isMachine = redirectUrl === undefined;
  let wanted: URL | undefined;
  // Only a sign-in that a person began has to outlive this process.
  let ownVerifier: string | undefined;
  const remember = async (change: Partial<SignInMemory>) => store.write({ ...(await store.read()), ...change });
  const authenticate: NonNullable<OAuthClientProvider["addClientAuthentication"]> = async (headers, params, url) => {
    if (clientId === undefined || clientSecret === undefined) return;
    const secret = await clientSecret(new URL(url).host);
    headers.set("authorization", `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`)}`);
    params.delete("client_secret");
  };
  return {
    get wanted() {
      return wanted;
    },
    get redirectUrl() {
      return redirectUrl;
    },
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    get clientMetadata() {
      return {
        client_name: "OVEN",
        redirect_uris: isMachine ? [] : [redirectUrl],
        grant_types: isMachine ? ["client_credentials"] : ["authorization_code", "refresh_token"],
        ...(isMachine ? {} : { response_types: ["code"], token_endpoint_auth_method: "none" }),
        ...(scope === undefined ? {} : { scope }),
      };
    },
    ...(state === undefined ? {} : { state }),
    async clientInformation(about) {
      if (clientId !== undefined) return { client_id: clientId };
      const { registrations = {} } = await store.read();
      return getOwn(registrations, about?.issuer ?? "");
    },
    // Whoever names a client has registered it.
    ...(clientId === undefined
      ? {
          async saveClientInformation(registration, about) {
            const { registrations = {} } = await store.read();
            await remember({ registrations: { ...registrations, [about?.issuer ?? ""]: registration } });
          },
        }
      : {}),
    async tokens(about) {
      const { tokens } = await store.read();
      return about === undefined || tokens?.issuer === undefined || tokens.issuer === about.issuer ? tokens : undefined;
    },
    async saveTokens(tokens) {
      const { wantedScope: _had, ...rest } = await store.read();
      await store.write({ ...rest, tokens });
    },
    async redirectToAuthorization(url) {
      if (url.protocol !== "https:" && url.protocol !== "http:")
        throw new OvenError("OUTBOUND_REFUSED", "The server's sign-in page is no web page", { status: 422 });
      wanted = url;
      const wantedScope = url.searchParams.get("scope");
      if (wantedScope !== null) await remember({ wantedScope });
    },
    async saveCodeVerifier(verifier) {
      if (state === undefined) ownVerifier = verifier;
      else await remember({ verifier });
    },
    async codeVerifier() {
      const { verifier = ownVerifier } = await store.read();
      if (verifier === undefined) throw new Error("no sign-in was begun");
      return verifier;
    },
    ...(clientSecret === undefined ? {} : { addClientAuthentication: authenticate }),
    async invalidateCredentials(what) {
      const { tokens, registrations, verifier, discovery, ...rest } = await store.read();
      const kept = { tokens, registrations, verifier, discovery };
      const dropped = {
        all: Object.keys(kept),
        client: ["registrations"],
        tokens: ["tokens"],
        verifier: ["verifier"],
        discovery: ["discovery"],
      }[what];
      await store.write({
        ...rest,
        ...Object.fromEntries(
          Object.entries(kept).filter(([key, value]) => !dropped.includes(key) && value !== undefined),
        ),
      });
    },
    ...(isMachine
      ? {
          prepareTokenRequest: (wantedScope?: string) =>
            new URLSearchParams({ grant_type: "client_credentials", ...(wantedScope ? { scope: wantedScope } : {}) }),
        }
      : {}),
    saveDiscoveryState: (discovery) => remember({ discovery }),
    discoveryState: async () => (await store.read()).discovery,
  };
}
