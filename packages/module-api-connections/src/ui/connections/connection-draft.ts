import type { ApiAuth, ApiConnection, ApiInspection, ApiSignIn, ApiSource } from "@oven/contract/api";

/** A form's fields: text as it is typed. */
export interface ConnectionDraft {
  source: ApiSource["type"];
  /** The address of the document, or of the GraphQL API. */
  url: string;
  /** The document, or a curl command. */
  text: string;
  name: string;
  title: string;
  serverUrl: string;
  accounts: ApiConnection["accounts"];
  auth: ApiAuth["type"];
  keyIn: "header" | "query";
  keyName: string;
  keyPrefix: string;
  user: string;
  secret: string;
  authorizationUrl: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  clientIn: "header" | "body";
  scope: string;
  /** Further parameters of the sign-in page; the form does not show them. */
  parameters: Record<string, string>;
  timeoutSeconds: string;
  maxKilobytes: string;
  callsPerMinute: string;
  callsPerDay: string;
  enabled: boolean;
}

export const NEW_CONNECTION: ConnectionDraft = {
  ...{ source: "url", url: "", text: "", name: "", title: "", serverUrl: "", accounts: "shared" },
  ...{ auth: "none", keyIn: "header", keyName: "", keyPrefix: "", user: "", secret: "" },
  ...{
    authorizationUrl: "",
    tokenUrl: "",
    clientId: "",
    clientSecret: "",
    clientIn: "header",
    scope: "",
    parameters: {},
  },
  ...{ timeoutSeconds: "60", maxKilobytes: "2048", callsPerMinute: "120", callsPerDay: "", enabled: true },
};

const MOST_NAME = 40;

/** The settings that a document proposes. */
export function fromInspection(inspection: ApiInspection): Partial<ConnectionDraft> {
  const { title, servers, signIns } = inspection;
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MOST_NAME);
  const signIn = signIns.find(({ how }) => how.type !== "other");
  return {
    name: name === "" ? "api" : name,
    title,
    serverUrl: servers[0]?.url ?? "",
    ...(signIn === undefined ? { auth: "none" } : fromSignIn(signIn)),
  };
}

/** The fields for one way of signing in that a document names. */
export function fromSignIn({ how }: ApiSignIn): Partial<ConnectionDraft> {
  switch (how.type) {
    case "api-key":
      return how.in === "cookie"
        ? { auth: "none" }
        : { auth: "api-key", keyIn: how.in, keyName: how.name, keyPrefix: "" };
    case "basic":
    case "bearer":
      return { auth: how.type };
    case "oauth":
      return {
        auth: how.flow === "code" ? "oauth" : "client-credentials",
        authorizationUrl: how.authorizationUrl ?? "",
        tokenUrl: how.tokenUrl ?? "",
        scope: Object.keys(how.scopes).join(" "),
      };
    case "other":
      return { auth: "none" };
  }
}

export function toDraft(row: ApiConnection): ConnectionDraft {
  const { auth } = row;
  const isOauth = auth.type === "oauth" || auth.type === "client-credentials";
  return {
    ...NEW_CONNECTION,
    ...{ name: row.name, title: row.title ?? "", serverUrl: row.serverUrl, accounts: row.accounts },
    ...{ source: row.sourceType, url: row.sourceUrl ?? "", auth: auth.type, enabled: row.enabled },
    ...("secret" in auth ? { secret: auth.secret ?? "" } : {}),
    ...(auth.type === "api-key" ? { keyIn: auth.in, keyName: auth.name, keyPrefix: auth.prefix ?? "" } : {}),
    ...(auth.type === "basic" ? { user: auth.user } : {}),
    ...(auth.type === "oauth" ? { authorizationUrl: auth.authorizationUrl, parameters: auth.parameters } : {}),
    ...(isOauth
      ? {
          ...{ tokenUrl: auth.tokenUrl, clientId: auth.clientId, scope: auth.scope, clientIn: auth.clientIn },
          clientSecret: auth.clientSecret ?? "",
        }
      : {}),
    timeoutSeconds: String(row.timeoutMs / 1_000),
    maxKilobytes: String(Math.round(row.maxBytes / 1_024)),
    callsPerMinute: String(row.callsPerMinute),
    callsPerDay: row.callsPerDay === null ? "" : String(row.callsPerDay),
  };
}

export function toSource({ source, url, text }: ConnectionDraft): ApiSource {
  return source === "text" ? { type: source, text } : { type: source, url: url.trim() };
}

/** What is sent of the settings; the source is sent by itself. */
export function toSettings(draft: ConnectionDraft): object {
  const { name, title, serverUrl, accounts, enabled } = draft;
  return {
    ...{ name: name.trim(), title: title.trim() === "" ? null : title.trim(), accounts, enabled },
    ...(serverUrl.trim() === "" ? {} : { serverUrl: serverUrl.trim() }),
    auth: toAuth(draft),
    timeoutMs: Math.round(Number(draft.timeoutSeconds) * 1_000),
    maxBytes: Number(draft.maxKilobytes) * 1_024,
    callsPerMinute: Number(draft.callsPerMinute),
    callsPerDay: draft.callsPerDay.trim() === "" ? null : Number(draft.callsPerDay),
  };
}

function toAuth(draft: ConnectionDraft): object {
  const { auth, accounts, secret, clientSecret, scope, clientIn } = draft;
  const named = accounts === "own" || secret === "" ? {} : { secret };
  const client = {
    ...{ tokenUrl: draft.tokenUrl.trim(), clientId: draft.clientId.trim(), scope: scope.trim(), clientIn },
    ...(clientSecret === "" ? {} : { clientSecret }),
  };
  switch (auth) {
    case "none":
      return { type: auth };
    case "api-key":
      return {
        ...{ type: auth, in: draft.keyIn, name: draft.keyName.trim(), ...named },
        ...(draft.keyPrefix === "" ? {} : { prefix: draft.keyPrefix }),
      };
    case "bearer":
      return { type: auth, ...named };
    case "basic":
      return { type: auth, user: accounts === "own" ? "" : draft.user, ...named };
    case "oauth":
      return {
        ...{ type: auth, authorizationUrl: draft.authorizationUrl.trim(), ...client },
        parameters: draft.parameters,
      };
    case "client-credentials":
      return { type: auth, ...client };
  }
}
