import { isObject, type Json } from "@oven/contract";
import type { ApiDocument } from "@oven/contract/api";
import { textOf } from "../schema/keywords.ts";

/** Addresses of servers, with their variables filled in by the defaults, without those that are no absolute addresses. */
export function readServers(given: Json | undefined, baseUrl: string | undefined): ApiDocument["servers"] {
  const servers = (Array.isArray(given) ? given : []).flatMap((server) => {
    const url = isObject(server) ? addressOf(server.url, server.variables, baseUrl) : undefined;
    return url === undefined || !isObject(server) ? [] : [{ url, description: textOf(server.description, 500) }];
  });
  // Of two that are the same but for the scheme, the one that is encrypted.
  const encrypted = servers.filter(({ url }) => url.startsWith("https:"));
  const others = servers.filter(
    ({ url }) => !encrypted.some((server) => server.url === url.replace(/^http:/, "https:")),
  );
  return [...encrypted, ...others.filter(({ url }) => url.startsWith("http:"))];
}

function addressOf(
  given: Json | undefined,
  variables: Json | undefined,
  baseUrl: string | undefined,
): string | undefined {
  if (typeof given !== "string") return undefined;
  const filled = given.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isObject(variable)
      ? (variable.default ?? (Array.isArray(variable.enum) ? variable.enum[0] : undefined))
      : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : whole;
  });
  if (/[{}]/.test(filled)) return undefined;
  const url = URL.parse(filled.startsWith("//") ? `https:${filled}` : filled, baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  url.hash = "";
  url.search = "";
  return url.href.replace(/\/+$/, "");
}
