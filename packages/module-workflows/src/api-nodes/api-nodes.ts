import { type Json, JsonSchema } from "@oven/contract";
import {
  effectOf,
  type FlatArguments,
  invokeRoute,
  type ModuleDefinition,
  type NodeDefinition,
  type RegistryView,
  type Route,
  toFlatArguments,
  toToolRun,
} from "@oven/module-registry";
import { z } from "zod";

export interface OwnedNode {
  module: ModuleDefinition;
  node: NodeDefinition;
}

/** A node `{namespace}.{operation}` for every route that offers an operation, with the route's own input and answer. */
export function toApiNodes(registry: RegistryView): OwnedNode[] {
  return registry.routes().flatMap(({ module, route }) => {
    if (route.operation === false || route.raw) return [];
    return [{ module, node: toApiNode(`${module.namespace}.${route.operation}`, module, route) }];
  });
}

function toApiNode(id: string, module: ModuleDefinition, route: Route): NodeDefinition {
  const given = toFlatArguments(route);
  return {
    id,
    version: 1,
    title: route.summary,
    docs: toDocs(module, route),
    category: "api",
    kind: "tool",
    effect: effectOf(route),
    input: asGiven(given),
    output: toOutput(route.response),
    permissions: typeof route.access === "object" ? [route.access.permission] : [],
    async run(context) {
      const { input, principal, services, signal, idempotencyKey } = context;
      // cast: `asGiven` hands the resolved input on, which is JSON
      const parts = given.split(input as Parameters<FlatArguments["split"]>[0]);
      const answer = await invokeRoute(route, parts, {
        principal,
        services,
        signal,
        idempotencyKey: idempotencyKey(),
        run: toToolRun(context),
      });
      return { type: "done", output: toResult(answer) };
    },
  };
}

/**
 * The route's input for schemas and checks, but what was checked is handed on as it was given: the route parses it
 * itself, and a value that is parsed twice (text to number, defaults, transforms) may come out another.
 */
function asGiven(given: FlatArguments): z.ZodObject {
  return Object.create(given.schema, {
    safeParse: {
      value: (args: unknown) => {
        const record = z.record(z.string(), JsonSchema).safeParse(args);
        if (!record.success) return record;
        const checked = given.safeParse(record.data);
        return checked.success ? { success: true, data: args } : checked;
      },
    },
  }) as z.ZodObject; // cast: the schema itself, with another safeParse
}

/** Objects and lists as they are; a scalar as `result`, so that it can be read by name. */
function toResult(answer: Json): Json {
  return typeof answer === "object" && answer !== null ? answer : { result: answer };
}

function toOutput(response: z.ZodType | undefined): z.ZodType {
  if (response === undefined) return z.strictObject({ result: JsonSchema });
  const isCompound =
    response instanceof z.ZodObject ||
    response instanceof z.ZodArray ||
    response instanceof z.ZodRecord ||
    response instanceof z.ZodUnion;
  return isCompound ? response : z.strictObject({ result: response });
}

function toDocs(module: ModuleDefinition, route: Route): string {
  const about = route.description === undefined ? [] : ["", route.description];
  return [
    `${route.summary.replace(/\.?$/, ".")} Part of ${module.namespace}: ${module.description}`,
    ...about,
    "",
    `The same as \`${route.method} /api/${route.path}\`, with the permissions of whoever started the run.`,
  ].join("\n");
}
