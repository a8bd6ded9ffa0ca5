import { completable, type McpServer } from "@modelcontextprotocol/server";
import { isGranted, type JsonObject, OvenError, type Principal } from "@oven/contract";
import type { Agent } from "@oven/contract/agent";
import { compileTemplate } from "@oven/engine";
import { withPublicErrors } from "@oven/module-workflows";
import { z } from "zod";

/** The prompts of agents, filled with what they expose. Not for clients that may only ask: prompts say how an agent works. */
export function registerPrompts(server: McpServer, principal: Principal, agents: readonly Agent[]): void {
  if (!isGranted(principal.permissions, "agents.read")) return;
  for (const { slug, name, description, systemPrompt, exposedParameters } of agents) {
    if (systemPrompt === "") continue;
    server.registerPrompt(
      slug.replaceAll("-", "_"),
      {
        title: name,
        description: description ?? `The system prompt of the agent ${name}`,
        argsSchema: toArguments(exposedParameters),
      },
      withPublicErrors((given) => ({
        description: `The system prompt of the agent ${name}`,
        messages: [{ role: "user", content: { type: "text", text: fill(systemPrompt, given as JsonObject) } }], // cast: texts by name
      })),
    );
  }
}

/** Arguments of prompts are texts; of one with an `enum`, its values are offered. */
function toArguments(exposed: JsonObject | null): z.ZodObject {
  const { properties = {}, required = [] } = (exposed ?? {}) as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  }; // cast: a JSON Schema of an object, as agents are saved with
  const shape = Object.entries(properties).map(([name, { description, enum: values }]) => {
    const text = z.string().describe(typeof description === "string" ? description : name);
    const offered = Array.isArray(values)
      ? completable(text, (begun) => values.map(String).filter((value) => value.startsWith(begun ?? "")))
      : text;
    return [name, required.includes(name) ? offered : offered.optional()];
  });
  return z.object(Object.fromEntries(shape));
}

/** @throws OvenError INVALID_INPUT for a prompt that needs more than was given */
function fill(template: string, given: JsonObject): string {
  try {
    const context = { values: {}, writers: new Map<string, string>() };
    return compileTemplate(template)({ context, trigger: given, execution: {} });
  } catch (error) {
    throw new OvenError("INVALID_INPUT", error instanceof Error ? error.message : String(error), {
      fix: "Give every argument that the prompt mentions.",
    });
  }
}
