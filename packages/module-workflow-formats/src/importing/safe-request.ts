import { type Json, type JsonObject, toSlug } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { cleaned, hasUserInfo, isSecretParameter, secretField, withoutCredentials } from "./credentials.ts";
import type { ImportReporter } from "./import-reporter.ts";
import { NoEquivalent } from "./no-equivalent.ts";

interface Asked {
  name: string;
  path: string;
  reporter: ImportReporter;
  notes: string[];
}

/**
 * An HTTP step's input without credentials that are written out. Secrets are filled into headers only, so a key
 * elsewhere has no equal.
 * @throws NoEquivalent
 */
export function safeRequest(input: Record<string, Json>, { name, path, reporter, notes }: Asked): Record<string, Json> {
  const safe = { ...input };
  const headers: JsonObject = isObject(input.headers) ? { ...input.headers } : {};
  const toSecret = (header: string, prefix?: string) => {
    const secret = toSlug(`${name} ${header}`);
    setOwn(headers, header, { $secret: secret, ...(prefix === undefined ? {} : { prefix }) });
    const advice = prefix === undefined ? "" : " with base64 of user:password";
    reporter.setting("credential", secret, `Make a secret of this name${advice}, for the host of this request.`, path);
    notes.push(`A credential of it was not imported: the secret ${secret} must have it.`);
  };
  const refuse = (where: string): never => {
    const secret = toSlug(`${name} ${where}`);
    const advice = `Make a secret of this name and send it in a header of “${name}”: secrets are filled into headers only.`;
    reporter.setting("credential", secret, advice, path);
    throw new NoEquivalent(`a credential is written into ${where}, and secrets are filled into headers only`);
  };
  for (const [header, value] of Object.entries(headers))
    if (typeof value === "string" && withoutCredentials(value) !== value) toSecret(header);
  if (typeof safe.url === "string" && hasUserInfo(safe.url)) {
    safe.url = safe.url.replace(/^([a-z]+:\/\/)[^/@]*@/i, "$1");
    if (hasUserInfo(safe.url)) refuse("its address");
    if (!Object.keys(headers).some((header) => header.toLowerCase() === "authorization"))
      toSecret("Authorization", "Basic ");
  }
  if (typeof safe.url === "string" && withoutCredentials(safe.url) !== safe.url) refuse("its address");
  for (const [parameter, value] of Object.entries(isObject(safe.query) ? safe.query : {}))
    if (isSecretParameter(parameter, value) || hasLook(value)) refuse(`the query value ${parameter}`);
  const field = secretField(safe.body ?? null);
  if (field !== undefined) refuse(`the field ${field} of its body`);
  if (hasLook(safe.body ?? null)) refuse("its body");
  if (Object.keys(headers).length > 0) safe.headers = headers;
  return safe;
}

function hasLook(value: Json): boolean {
  return JSON.stringify(cleaned(value)) !== JSON.stringify(value);
}
