import type { Json, JsonObject } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";

export const REMOVED = "(left out by the import)";
export const SECRET_NAMES =
  /authorization|cookie|api[-_]?key|access[-_]?key|token|secret|password|passwd|signature|credential/i;
/** Names of query parameters that hold credentials. Many services call theirs just `key`. */
const SECRET_PARAMETERS =
  /^(key|sig|auth|pwd|pass)$|authorization|api[-_]?key|access[-_]?key|token|secret|password|passwd|signature/i;
/** Prefixes that providers document for their keys, JSON Web Tokens, private keys and HTTP's own schemes. */
const LOOKS =
  /\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abeoprs]-[\w-]{10,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)|(?<=\bBearer\s+)[A-Za-z0-9._~+/-]{12,}=*|(?<=\bBasic\s+)(?=[A-Za-z0-9+/]*[A-Z0-9+/])[A-Za-z0-9+/]{12,}={0,2}/g;
const USER_INFO = /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"'{}?#]{1,500}:[^\s/@"'{}?#]{1,500}@/gi;
const PARAMETER = /(?<=[?&])([\w.-]{1,64})=(?!\(left out)([^\s&#"'{}$`]{1,2000})/g;

const ASSIGNED =
  /((?:authorization|cookie|api[-_]?key|access[-_]?key|token|secret|password|passwd|signature)["']?\s*[:=]\s*["']?)(?!\(left out)[^\s"',;&{}$()]{4,}/gi;

/** Text that is kept to be read only, such as code: what is assigned to a name of secrets goes too. */
export function withoutAssigned(text: string): string {
  return withoutCredentials(text).replace(ASSIGNED, (_all, before: string) => `${before}${REMOVED}`);
}

/** Text without what is a credential by its look: keys, user and password in addresses, keys in their queries. */
export function withoutCredentials(text: string): string {
  return text
    .replace(USER_INFO, "")
    .replace(PARAMETER, (all, name: string) => (SECRET_PARAMETERS.test(name) ? `${name}=${REMOVED}` : all))
    .replace(LOOKS, REMOVED);
}

/** The same value, in which no text has a credential by its look. */
export function cleaned(value: Json): Json {
  if (typeof value === "string") return withoutCredentials(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, child] of Object.entries(value)) setOwn(kept, key, cleaned(child));
  return kept;
}

/** Whether a query parameter is written out and is a key by its name. */
export function isSecretParameter(name: string, value: Json): boolean {
  return isSecretLabel(name) && typeof value === "string" && isWritten(value);
}

/** Whether what stands beside a name in a list of names and values is secret. */
export function isSecretLabel(name: string): boolean {
  return SECRET_PARAMETERS.test(name);
}

/** The first field of a value, however deep, that is named like a secret and is written out. */
export function secretField(value: Json): string | undefined {
  if (Array.isArray(value)) return value.map(secretField).find((name) => name !== undefined);
  if (!isObject(value)) return undefined;
  for (const [name, child] of Object.entries(value)) {
    if (typeof child === "string" && SECRET_NAMES.test(name) && isWritten(child)) return name;
    const inner = secretField(child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Whether an address carries a user and a password. */
export function hasUserInfo(url: Json): boolean {
  return typeof url === "string" && url !== url.replace(USER_INFO, "");
}

function isWritten(text: string): boolean {
  return text !== "" && !text.startsWith("$.") && !text.includes("{{");
}
