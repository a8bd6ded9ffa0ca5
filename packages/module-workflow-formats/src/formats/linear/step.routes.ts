import type { JsonObject } from "@oven/contract";
import {
  CreateCheckerSchema,
  CreateModelStepSchema,
  CreateStepInstanceSchema,
  CustomAgentSchema,
  CustomLlmSchema,
  LinearStepInstanceSchema,
  LinearStepSchema,
  StopCheckerSchema,
} from "@oven/contract/formats/linear.ts";
import { created, defineRoute, noContent, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { LinearParts } from "./linear-parts.ts";
import { may, One } from "./route-parts.ts";

const STEPS = [
  { type: "custom_llm", path: "linear-llm-steps", title: "LLM step", schema: CustomLlmSchema },
  { type: "custom_agent", path: "linear-agent-steps", title: "agent step", schema: CustomAgentSchema },
  { type: "stop_checker", path: "linear-checker-steps", title: "stop checker", schema: StopCheckerSchema },
] as const;

export function stepRoutes(parts: () => LinearParts): Route[] {
  return STEPS.flatMap((step) => routesOf(parts, step));
}

function routesOf(parts: () => LinearParts, { type, path, title, schema }: (typeof STEPS)[number]): Route[] {
  const name = `linear.${path.split("-")[1]}`;
  const body = type === "stop_checker" ? CreateCheckerSchema : CreateModelStepSchema;
  return [
    defineRoute({
      method: "POST",
      path,
      operation: `${name}.create`,
      summary: `Make a ${title} that belongs to no workflow yet`,
      access: may("create"),
      effect: "at-least-once",
      body,
      response: schema,
      handler: async ({ principal, body: step }) =>
        created(await parts().steps.create(principal, type, toNewStep(step as JsonObject))), // cast: it came as JSON
    }),
    defineRoute({
      method: "GET",
      path,
      operation: `${name}.list`,
      summary: `List one's ${title}s`,
      access: may("read"),
      effect: "pure",
      response: z.array(schema),
      handler: async ({ principal }) => ok(await parts().steps.list(principal, type)),
    }),
    defineRoute({
      method: "GET",
      path: `${path}/[uuid]`,
      operation: `${name}.get`,
      summary: `Get a ${title}`,
      access: may("read"),
      effect: "pure",
      params: One,
      response: schema,
      handler: async ({ principal, params }) => ok(await parts().steps.get(principal, type, params.uuid)),
    }),
    defineRoute({
      method: "PUT",
      path: `${path}/[uuid]`,
      operation: `${name}.save`,
      summary: `Save a ${title}; its ids and its summary stay`,
      access: may("update"),
      effect: "idempotent",
      params: One,
      body: schema,
      response: LinearStepSchema,
      handler: async ({ principal, params, body: step }) => ok(await parts().steps.save(principal, params.uuid, step)),
    }),
    defineRoute({
      method: "DELETE",
      path: `${path}/[uuid]`,
      operation: `${name}.delete`,
      summary: `Delete a ${title}, also out of its workflow`,
      access: may("delete"),
      effect: "idempotent",
      params: One,
      handler: async ({ principal, params }) => {
        await parts().steps.delete(principal, type, params.uuid);
        return noContent();
      },
    }),
    defineRoute({
      method: "POST",
      path: `${path}/[uuid]/instances`,
      operation: `${name}.createInstance`,
      summary: `Keep a record of a ${title} that is run elsewhere`,
      access: may("execute"),
      effect: "at-least-once",
      params: One,
      body: CreateStepInstanceSchema,
      response: LinearStepInstanceSchema,
      handler: async ({ principal, params, body: { workflow_instance_uuid: run } }) => {
        const id = await parts().instances.executionOf(principal, run);
        return created(await parts().stepInstances.create(principal, type, params.uuid, id));
      },
    }),
  ];
}

function toNewStep({ name, model, system_prompt, stop_conditions }: JsonObject) {
  return {
    name: String(name),
    ...(typeof model === "string" ? { model } : {}),
    ...(typeof system_prompt === "string" ? { systemPrompt: system_prompt } : {}),
    // cast: checked by the route's schema
    ...(Array.isArray(stop_conditions) ? { stopConditions: stop_conditions as never } : {}),
  };
}
