import { type Json, type JsonObject, toSlug } from "@oven/contract";
import type { N8nContext } from "./n8n-context.ts";
import type { N8nNode } from "./n8n-document.ts";
import { isSecretName } from "./n8n-variables.ts";

/** `$env.NAME`, `$env["NAME"]` */
const NAME = String.raw`\$env(?:\.([A-Za-z_]\w*)|\[(?:"([A-Za-z_]\w*)"|'([A-Za-z_]\w*)')\])`;
/** All of a value, which may begin with a written text: `Bearer {{ $env.KEY }}`, `{{ "Bearer " + $env.KEY }}`. */
const WHOLE = [
  new RegExp(String.raw`^=([^{}]*)\{\{\s*${NAME}\s*\}\}$`),
  new RegExp(String.raw`^=\{\{\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\+\s*${NAME}\s*\}\}$`),
  new RegExp(String.raw`^=\{\{\s*\x60([^$\\\x60]*)\$\{\s*${NAME}\s*\}\x60\s*\}\}$`),
];
const INSIDE = new RegExp(String.raw`\{\{\s*${NAME}\s*\}\}`, "g");

/** A key that n8n reads from the environment of its server, as the secret that takes its place; undefined: it is something else. */
export function environmentSecret(value: Json, place: string, node: N8nNode, context: N8nContext): Json | undefined {
  if (typeof value !== "string") return undefined;
  for (const pattern of WHOLE) {
    const groups = pattern.exec(value)?.slice(1);
    const name = groups?.slice(-3).find((group) => group !== undefined);
    if (groups === undefined || name === undefined || !isSecretName(name)) continue;
    const prefix = groups.slice(0, -3).find((group) => group !== undefined) ?? "";
    return { $secret: secretFor(name, place, node, context), ...(prefix === "" ? {} : { prefix }) };
  }
  return undefined;
}

/** An address with a place for each key in it that n8n reads from the environment of its server. */
export function environmentInUrl(url: Json, node: N8nNode, context: N8nContext): { url: Json; secrets: JsonObject } {
  const secrets: JsonObject = {};
  if (typeof url !== "string" || !url.startsWith("=")) return { url, secrets };
  const host = /^=https?:\/\/[^/{}]+\//.test(url);
  if (!host) return { url, secrets };
  const filled = url.replace(INSIDE, (whole, ...groups: (string | undefined)[]) => {
    const name = groups.slice(0, 3).find((group) => group !== undefined) ?? "";
    if (!isSecretName(name)) return whole;
    const secret = secretFor(name, "the address", node, context);
    secrets[name] = { $secret: secret };
    return `{${name}}`;
  });
  return { url: filled, secrets };
}

function secretFor(name: string, place: string, { path }: N8nNode, { reporter }: N8nContext): string {
  const secret = toSlug(name);
  const advice = `Make a secret of this name for ${place}: n8n reads ${name} from the environment of its server.`;
  reporter.setting("credential", secret, advice, path);
  return secret;
}
