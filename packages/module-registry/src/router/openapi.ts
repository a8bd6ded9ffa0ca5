import { ErrorBodySchema, OVEN_VERSION } from "@oven/contract";
import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import type { RegistryView } from "../define/define-module.ts";
import type { Route } from "../define/define-route.ts";

export type OpenApiDocument = ReturnType<typeof createDocument>;

/**
 * OpenAPI 3.1 from the very schemas the router parses with.
 * @param schemas those that are shown once under a name, and referred to; default: each is written out where it is used
 */
export function createOpenApi(
  routes: ReturnType<RegistryView["routes"]>,
  publicUrl: string,
  schemas: Readonly<Record<string, z.ZodType>> = {},
): OpenApiDocument {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const { module, route } of routes) {
    const path = `/api/${route.path.replace(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}")}`;
    const operations = paths[path] ?? {};
    paths[path] = operations;
    operations[route.method.toLowerCase()] = toOperation(route, module.name);
  }
  return createDocument({
    openapi: "3.1.0",
    info: { title: "OVEN", version: OVEN_VERSION, description: "Durable workflows of AI agents, approved by people." },
    servers: [{ url: publicUrl }],
    components: {
      schemas,
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "An API key." } },
    },
    paths: paths as ZodOpenApiPathsObject, // cast: methods are written in lower case above
  });
}

/** `POST api-keys/[id]/x` → `postApiKeysByIdX`: for routes that are no operation of modules. */
function toOperationId({ method, path }: Route): string {
  const words = path.replace(/\[(?:\.\.\.)?(\w+)\]/g, "by-$1").split(/[^A-Za-z0-9]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function toOperation(route: Route, tag: string): ZodOpenApiOperationObject {
  const names = [...route.path.matchAll(/\[(?:\.\.\.)?(\w+)\]/g)].map(([, name]) => name ?? "");
  const params =
    route.params ??
    (names.length === 0 ? undefined : z.object(Object.fromEntries(names.map((name) => [name, z.string()]))));
  const status =
    route.method === "POST" && route.response !== undefined ? "2XX" : route.response === undefined ? "default" : "200";
  return {
    tags: [tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    operationId: route.operation === false ? toOperationId(route) : route.operation,
    security: route.access === "public" ? [] : [{ bearer: [] }],
    requestParams: {
      // cast: route schemas of params and query are objects by contract
      ...(params === undefined ? {} : { path: params as z.ZodObject }),
      ...(route.query === undefined ? {} : { query: route.query as z.ZodObject }),
    },
    ...(route.body === undefined ? {} : { requestBody: { content: { "application/json": { schema: route.body } } } }),
    responses: {
      ...(route.response === undefined
        ? { "200": { description: "See the description of this route." } }
        : { [status]: { description: "Success", content: { "application/json": { schema: route.response } } } }),
      "4XX": {
        description: "Refused",
        content: { "application/json": { schema: route.errors?.schema ?? ErrorBodySchema } },
      },
    },
  };
}
