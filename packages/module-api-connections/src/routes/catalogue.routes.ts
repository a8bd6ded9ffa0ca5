import { CataloguedServiceSchema } from "@oven/contract/api";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import { readServices } from "../catalogue/read-services.ts";

/** The services of the catalogue, as they were shipped: nothing is asked for elsewhere. */
export function catalogueRoutes(): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "api-catalogue",
      operation: false,
      summary: "List well-known services with their documents, MCP addresses and ways to sign in",
      access: { permission: "api-connections.read" },
      response: z.array(CataloguedServiceSchema),
      handler: async () => ok([...readServices()]),
    }),
  ];
}
