import { isObject, type Json, type JsonObject, setOwn } from "@oven/contract";
import type { ApiOperation, ApiSignIn } from "@oven/contract/api";
import { objectAt } from "../references.ts";
import { textOf } from "../schema/keywords.ts";

type How = ApiSignIn["how"];

/** The ways to sign in that a document declares. */
export function readSignIns(root: JsonObject, baseUrl: string | undefined): ApiSignIn[] {
  const { components } = root;
  const schemes = isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {};
  return Object.entries(schemes).map(([name, given]) => {
    const scheme = objectAt(root, given);
    if (scheme === undefined)
      return { name, description: "", how: other("It is described in another document, or nowhere") };
    return { name, description: textOf(scheme.description, 4_000), how: readHow(scheme, baseUrl) };
  });
}

/** What an operation or a document says of how to sign in; undefined: nothing. */
export function readSecurity(given: Json | undefined): ApiOperation["signIn"] | undefined {
  if (!Array.isArray(given)) return undefined;
  return given.filter(isObject).map((way) => {
    const schemes: Record<string, string[]> = {};
    for (const [name, scopes] of Object.entries(way))
      setOwn(schemes, name, Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : []);
    return schemes;
  });
}

const other = (problem: string): How => ({ type: "other", problem });

function readHow(scheme: JsonObject, baseUrl: string | undefined): How {
  switch (scheme.type) {
    case "apiKey":
      return readKey(scheme);
    case "http":
      return readHttp(String(scheme.scheme ?? "").toLowerCase());
    case "basic":
      return { type: "basic" };
    case "oauth2":
      return readOauth(scheme, baseUrl);
    case "openIdConnect":
      return other("Signing in by OpenID Connect is not supported; a bearer token can be given instead");
    case "mutualTLS":
      return other("Signing in by a client certificate is not supported");
    default:
      return other(`The way to sign in ${JSON.stringify(String(scheme.type).slice(0, 40))} is not known`);
  }
}

function readKey(scheme: JsonObject): How {
  const { name } = scheme;
  if (
    Object.entries(scheme).some(
      ([key, value]) => /^x-amazon-apigateway-auth/i.test(key) && /sigv4/i.test(String(value)),
    )
  )
    return other("Each request must be signed (AWS Signature Version 4), which is not supported");
  if (typeof name !== "string" || name === "") return other("The key's parameter has no name");
  if (scheme.in !== "header" && scheme.in !== "query" && scheme.in !== "cookie")
    return other("The key is sent neither in a header, the query nor a cookie");
  return { type: "api-key", in: scheme.in, name };
}

function readHttp(scheme: string): How {
  if (scheme === "basic") return { type: "basic" };
  if (scheme === "bearer") return { type: "bearer" };
  return other(`Signing in by HTTP ${scheme.slice(0, 40)} is not supported`);
}

const FLOWS = [
  ["authorizationCode", "code"],
  ["clientCredentials", "client-credentials"],
] as const;

function readOauth(scheme: JsonObject, baseUrl: string | undefined): How {
  const flows = isObject(scheme.flows) ? scheme.flows : {};
  for (const [name, flow] of FLOWS) {
    const given = flows[name];
    if (!isObject(given)) continue;
    return {
      type: "oauth",
      flow,
      authorizationUrl: flow === "code" ? addressOf(given.authorizationUrl, baseUrl) : null,
      tokenUrl: addressOf(given.tokenUrl, baseUrl),
      refreshUrl: addressOf(given.refreshUrl, baseUrl),
      scopes: scopesOf(given.scopes),
    };
  }
  const names = Object.keys(flows);
  return other(
    `The OAuth flow ${names.slice(0, 3).join(", ") || "of this scheme"} is not supported: it hands passwords or tokens through the browser`,
  );
}

function addressOf(given: Json | undefined, baseUrl: string | undefined): string | null {
  if (typeof given !== "string") return null;
  const url = URL.parse(given, baseUrl);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

function scopesOf(given: Json | undefined): Record<string, string> {
  const scopes: Record<string, string> = {};
  for (const [name, description] of Object.entries(isObject(given) ? given : {}))
    setOwn(scopes, name, textOf(description, 500));
  return scopes;
}
