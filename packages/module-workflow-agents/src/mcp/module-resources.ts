import { type McpServer, ResourceTemplate, type Variables } from "@modelcontextprotocol/server";
import { notFound } from "@oven/contract";
import type { ModuleDefinition, RegistryView } from "@oven/module-registry";
import { withPublicErrors } from "@oven/module-workflows";
import { toJson } from "./server-resources.ts";

/** What the platform's modules can do, for clients of its own server. */
export function registerModules(server: McpServer, registry: RegistryView): void {
  const names = () => registry.modules().map(({ name }) => name);
  server.registerResource(
    "module",
    new ResourceTemplate("oven://modules/{name}", {
      list: async () => ({
        resources: registry.modules().map(({ name, description }) => ({
          uri: `oven://modules/${name}`,
          name,
          description,
          mimeType: "application/json",
        })),
      }),
      complete: { name: (begun) => names().filter((name) => name.startsWith(begun)) },
    }),
    {
      title: "Module",
      description: "What a module of the platform is for and what it can do",
      mimeType: "application/json",
    },
    withPublicErrors(({ href }: URL, { name }: Variables) => {
      const module = registry.modules().find((one) => one.name === name);
      if (module === undefined) throw notFound("module", String(name));
      return toJson(href, describeModule(module));
    }),
  );
}

function describeModule({
  name,
  namespace,
  description,
  nodes,
  tools,
  actions,
  routes,
  events,
  ...rest
}: ModuleDefinition) {
  return {
    name,
    description,
    dependencies: rest.dependencies,
    nodes: nodes.map(({ id, title }) => ({ id, title })),
    tools: tools.map(({ id, title }) => ({ id, title })),
    actions: actions.map((action) => ({ id: `${namespace}.${action.name}`, title: action.title })),
    operations: routes.flatMap(({ operation, summary }) =>
      operation === false ? [] : [{ id: `${namespace}.${operation}`, summary }],
    ),
    events: Object.keys(events.emits),
    permissions: rest.permissions.map(({ id }) => id),
  };
}
