import { type McpServer, ResourceTemplate, type Variables } from "@modelcontextprotocol/server";
import { isGranted, type Principal } from "@oven/contract";
import { withinTenant } from "@oven/db";
import { requirePermission } from "@oven/module-registry";
import { type ResourceSource, withPublicErrors } from "@oven/module-workflows";
import { toJson } from "./server-resources.ts";

/** What modules have for clients to read, as far as this one is permitted. */
export function registerSources(server: McpServer, principal: Principal, sources: readonly ResourceSource[]): void {
  for (const source of sources)
    if (isGranted(principal.permissions, source.permission)) register(server, principal, source);
}

function register(server: McpServer, principal: Principal, source: ResourceSource): void {
  const { name, path, title, description, permission } = source;
  const within = <T>(work: () => Promise<T>): Promise<T> => {
    requirePermission(principal, permission);
    return withinTenant(principal.tenantId, work);
  };
  server.registerResource(
    name,
    new ResourceTemplate(`oven://${path}/{id}`, {
      list: withPublicErrors(async () => ({
        resources: (await within(() => source.list(principal))).map((one) => ({
          uri: `oven://${path}/${one.id}`,
          name: `${name}-${one.id}`,
          title: one.title,
          description: one.description,
          mimeType: "application/json",
        })),
      })),
    }),
    { title, description, mimeType: "application/json" },
    withPublicErrors(async ({ href }: URL, { id }: Variables) =>
      toJson(href, await within(() => source.read(principal, String(id)))),
    ),
  );
}
