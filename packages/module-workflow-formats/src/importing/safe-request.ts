import { type Json, type JsonObject, toSlug } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { cleaned, hasUserInfo, isSecretParameter, secretField, withoutCredentials } from "./credentials.ts";
import type { ImportReporter } from "./import-reporter.ts";
import { NoEquivalent } from "./no-equivalent.ts";

/** A parameter of a query with its value; texts that are filled in are none. */
const SECRET_IN_QUERY = /[?&]([\w.-]{1,64})=[^\s&#"'{}$`]{1,2000}/g;

interface Asked {
  name: string;
  path: string;
  reporter: ImportReporter;
  notes: string[];
}

/**
 * An HTTP step's input with secrets in place of credentials that are written out: in headers, in the query and in the address. A key in a
 * body has no equal.
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
    const advice = `Make a secret of this name and send it in a header or the address of “${name}”: secrets are not filled into bodies.`;
    reporter.setting("credential", secret, advice, path);
    throw new NoEquivalent(`a credential is written into ${where}, where no secret is filled in`);
  };
  for (const [header, value] of Object.entries(headers))
    if (typeof value === "string" && withoutCredentials(value) !== value) toSecret(header);
  if (typeof safe.url === "string" && hasUserInfo(safe.url)) {
    safe.url = safe.url.replace(/^([a-z]+:\/\/)[^/@]*@/i, "$1");
    if (hasUserInfo(safe.url)) refuse("its address");
    if (!Object.keys(headers).some((header) => header.toLowerCase() === "authorization"))
      toSecret("Authorization", "Basic ");
  }
  const ofParameter = (parameter: string): JsonObject => {
    const secret = toSlug(`${name} ${parameter}`);
    const advice = "Make a secret of this name, for the host of this request.";
    reporter.setting("credential", secret, advice, path);
    notes.push(`The value of ${parameter} in its address was not imported: the secret ${secret} must have it.`);
    return { $secret: secret };
  };
  if (typeof safe.url === "string") {
    const { url, parameters } = withPlaces(safe.url);
    if (withoutCredentials(url) !== url) refuse("its address");
    const given = Object.entries(parameters).map(([place, parameter]) => [place, ofParameter(parameter)]);
    if (given.length > 0)
      safe.urlSecrets = { ...(isObject(safe.urlSecrets) ? safe.urlSecrets : {}), ...Object.fromEntries(given) };
    safe.url = url;
  }
  if (isObject(safe.query)) {
    const query: JsonObject = {};
    for (const [parameter, value] of Object.entries(safe.query)) {
      const isSecret = isSecretParameter(parameter, value) || hasLook(value);
      setOwn(query, parameter, isSecret ? ofParameter(parameter) : value);
    }
    safe.query = query;
  }
  const field = secretField(safe.body ?? null);
  if (field !== undefined) refuse(`the field ${field} of its body`);
  if (hasLook(safe.body ?? null)) refuse("its body");
  if (Object.keys(headers).length > 0) safe.headers = headers;
  return safe;
}

/** An address with names in braces in place of credentials in its query, and the parameters that they are of. */
function withPlaces(url: string): { url: string; parameters: Record<string, string> } {
  const parameters: Record<string, string> = {};
  const placed = url.replaceAll(SECRET_IN_QUERY, (all: string, name: string) => {
    if (withoutCredentials(all) === all) return all;
    const place = name.replaceAll(/\W/g, "_");
    if (Object.hasOwn(parameters, place)) return all;
    parameters[place] = name;
    return `${all.slice(0, all.indexOf("=") + 1)}{${place}}`;
  });
  return { url: placed, parameters };
}

function hasLook(value: Json): boolean {
  return JSON.stringify(cleaned(value)) !== JSON.stringify(value);
}
