import { getOwn, isObject, type Json, type JsonObject } from "@oven/contract";
import { toComment, toType } from "./schema-type.ts";

export interface TypedWorkflow {
  slug: string;
  name: string;
  description: string | null;
  definition: JsonObject;
}

const NOTICE = "/* Written by `oven types`; run it again when a workflow takes or gives something else. */";

/** Declarations by which a client of `@oven/client` knows what each workflow takes and gives. */
export function toWorkflowTypes(agentWorkflows: readonly TypedWorkflow[], workflows: readonly TypedWorkflow[]): string {
  return `${NOTICE}
import "@oven/client";

declare module "@oven/client" {
${toInterface("AgentWorkflowTypes", agentWorkflows)}
${toInterface("WorkflowTypes", workflows)}}
`;
}

function toInterface(name: string, workflows: readonly TypedWorkflow[]): string {
  const sorted = workflows.toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
  return `  interface ${name} {\n${sorted.map(toEntry).join("")}  }\n`;
}

function toEntry({ slug, name, description, definition }: TypedWorkflow): string {
  const text = [name, description].filter((part) => part !== null && part !== "").join("\n\n");
  const input = typeOf(definition.payloadSchema, "Record<string, unknown>");
  const output = typeOf(definition.outputSchema, "unknown");
  return `${toComment({ description: text }, "    ")}    ${JSON.stringify(slug)}: {\n      input: ${input};\n      output: ${output};\n    };\n`;
}

/** @param otherwise the type where there is no schema */
function typeOf(schema: Json | undefined, otherwise: string): string {
  if (!isObject(schema)) return otherwise;
  const open = new Set<string>();
  const ofReference = (reference: string): string => {
    // A schema that refers to itself has no end when it is written out.
    if (open.has(reference)) return "unknown";
    open.add(reference);
    const type = toType(resolve(schema, reference) ?? {}, { ofReference }, 6);
    open.delete(reference);
    return type;
  };
  return toType(schema, { ofReference }, 6);
}

/** What `#/$defs/name` stands for in a schema. */
function resolve(schema: JsonObject, reference: string): Json | undefined {
  if (reference === "#") return schema;
  if (!reference.startsWith("#/")) return undefined;
  let node: Json | undefined = schema;
  for (const part of reference.slice(2).split("/")) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    node = isObject(node) ? getOwn(node, key) : undefined;
  }
  return node;
}
