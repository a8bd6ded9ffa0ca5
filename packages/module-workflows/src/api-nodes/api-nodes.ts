import { type Json, type JsonObject, JsonSchema } from "@oven/contract";
import type { NodeResult } from "@oven/contract/node";
import {
  effectOf,
  invokeRoute,
  type ModuleDefinition,
  type NodeContext,
  type NodeDefinition,
  type RegistryView,
  type Route,
  toFlatArguments,
  toToolRun,
} from "@oven/module-registry";
import { z } from "zod";
import { operationCeiling } from "../worst-case/operation-ceiling.ts";
import { asGiven } from "./as-given.ts";
import { withApproval } from "./with-approval.ts";

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

/** The node types of operations that wait for a review of each call. */
export function operationsWithApproval(registry: RegistryView): ReadonlySet<string> {
  return new Set(
    registry
      .routes()
      .filter(({ module, route }) => needsApproval(module, route))
      .map(({ module, route }) => `${module.namespace}.${route.operation}`),
  );
}

function toApiNode(id: string, module: ModuleDefinition, route: Route): NodeDefinition {
  const given = toFlatArguments(route);
  const call = async (context: NodeContext, args: JsonObject): Promise<NodeResult> => {
    const { principal, services, signal, idempotencyKey } = context;
    const answer = await invokeRoute(route, given.split(args), {
      principal,
      services,
      signal,
      idempotencyKey: idempotencyKey(),
      run: toToolRun(context),
    });
    return { type: "done", output: toResult(answer) };
  };
  const common = {
    id,
    version: 1,
    title: route.summary,
    category: "api",
    kind: "tool",
    effect: effectOf(route),
    output: toOutput(route.response),
    permissions: typeof route.access === "object" ? [route.access.permission] : [],
    ...(route.delegates === undefined ? {} : { delegates: route.delegates }),
    ...(route.mayNeed === undefined ? {} : { mayNeed: () => route.mayNeed ?? [] }),
    ceiling: operationCeiling({
      id,
      asksFirst: needsApproval(module, route),
      delegates: route.delegates === true,
      permissions: typeof route.access === "object" ? [route.access.permission] : [],
    }),
  } as const;
  if (needsApproval(module, route))
    return {
      ...common,
      docs: toDocs(module, route, APPROVAL_DOCS),
      ...withApproval({ id, title: route.summary }, given, call),
    };
  return {
    ...common,
    docs: toDocs(module, route),
    input: asGiven(given.schema, given.safeParse),
    // cast: `asGiven` hands the resolved input on, which is JSON
    run: (context) => call(context, context.input as JsonObject),
  };
}

/** Also where the action that stands for the operation as a tool says so: the step is another way to the same. */
function needsApproval({ actions }: ModuleDefinition, { operation, needsApproval }: Route): boolean {
  return (
    needsApproval === true || actions.some((action) => action.covers === operation && action.needsApproval === true)
  );
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

const APPROVAL_DOCS =
  "A person must approve each call: the step waits for a review of exactly this call, and a rejection is the error REVIEW_REJECTED. `approval` says who decides, or hands on the call that a review before this step has released.";

function toDocs(module: ModuleDefinition, route: Route, ...more: string[]): string {
  const about = route.description === undefined ? [] : ["", route.description];
  return [
    `${route.summary.replace(/\.?$/, ".")} Part of ${module.namespace}: ${module.description}`,
    ...about,
    "",
    `The same as \`${route.method} /api/${route.path}\`, with the permissions that both the starter and the version of the run have.`,
    ...more,
  ].join("\n");
}
