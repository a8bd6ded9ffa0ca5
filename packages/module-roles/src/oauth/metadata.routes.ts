import { notFound } from "@oven/contract";
import { defineRoute, type Route } from "@oven/module-registry";
import type { AccessDeps } from "../access/access-deps.ts";
import { takesDocuments } from "./client-document.ts";
import { OFFLINE } from "./oauth-tokens.ts";

const SERVER = ".well-known/oauth-authorization-server";
const RESOURCE = ".well-known/oauth-protected-resource";
/** Clients keep it for a while. */
const CACHED = { "cache-control": "public, max-age=300" };

/**
 * What clients read before they connect: the authorization server (RFC 8414) and what it protects (RFC 9728). The same for each
 * address of a kind, whether something is there or not: strangers learn nothing.
 */
export function metadataRoutes(deps: () => AccessDeps): Route[] {
  const open = (path: string, summary: string, answer: (pathname: string) => Promise<object>): Route =>
    defineRoute({
      method: "GET",
      path,
      operation: false,
      summary,
      access: "public",
      raw: true,
      handler: async ({ request }) =>
        Response.json(await answer(decodeURI(new URL(request.url).pathname)), { headers: CACHED }),
    });
  const issuer = async () => ({
    ...(await deps().auth.api.getOAuthServerConfig()),
    client_id_metadata_document_supported: takesDocuments(deps().environment),
  });
  const describe = async (resource: string, scopes: readonly string[]) => ({
    resource,
    authorization_servers: [(await issuer()).issuer],
    scopes_supported: [...scopes, OFFLINE],
    bearer_methods_supported: ["header"],
    resource_name: "OVEN",
  });
  return [
    open(SERVER, "The authorization server", issuer),
    open(`${SERVER}/[...path]`, "The authorization server", issuer),
    open(RESOURCE, "What takes OAuth tokens", () => describe(deps().environment.publicUrl, deps().addresses.scopes())),
    open(`${RESOURCE}/[...path]`, "What takes OAuth tokens at one address", async (pathname) => {
      const at = deps().addresses.at(pathname.slice(`/api/${RESOURCE}`.length));
      if (at === undefined) throw notFound("protected resource", pathname);
      return describe(at.resource, at.servers.scopes());
    }),
  ];
}
