import type { JsonObject } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { NodeContext } from "@oven/module-registry";
import { isInputName } from "@oven/sandbox";
import type { z } from "zod";
import { offeredTools } from "../offered-tools.ts";
import { type DeclaredToolsSchema, declaredTools } from "../step-tools.ts";

/** Names that a program needs for something else. */
const TAKEN: ReadonlySet<string> = new Set(
  [
    "abs all any asyncio bin bool bytes chr dict divmod enumerate filter float frozenset hash hex id int isinstance",
    "iter json len list map math max min next oct ord pow print range re repr reversed round set slice sorted str sum",
    "tuple type zip datetime Exception RuntimeError TypeError ValueError KeyError",
  ].flatMap((names) => names.split(" ")),
);

/** A tool as a program calls it. */
export interface ProgramTool {
  /** Name of the function. */
  name: string;
  tool: ToolInfo;
  /** Names of its arguments, in the order of the function's parameters: those that it needs come first. */
  parameters: string[];
}

interface Offering {
  agent?: string | number | undefined;
  tools?: string[] | undefined;
  declaredTools?: z.output<typeof DeclaredToolsSchema> | undefined;
}

/**
 * The functions of a program at this step: the tools that the step may call, and those that are written at it.
 * @param inputs names that the program has already
 * @throws OvenError TOOL_UNKNOWN
 */
export async function programTools(context: NodeContext<Offering>, inputs: readonly string[]): Promise<ProgramTool[]> {
  const offered = [...((await offeredTools(context)) ?? []), ...declaredTools(context.input.declaredTools, undefined)];
  return toProgramTools(offered, inputs);
}

/** Tools under names that Python can call, each once. @param inputs names that are taken */
export function toProgramTools(tools: readonly ToolInfo[], inputs: readonly string[]): ProgramTool[] {
  const taken = new Set(inputs);
  return tools.map((tool) => {
    const base = toFunctionName(tool.id);
    let name = base;
    for (let copy = 2; taken.has(name); copy += 1) name = `${base}_${copy}`;
    taken.add(name);
    return { name, tool, parameters: toParameters(tool.inputSchema) };
  });
}

/** `orders.get` is `orders_get`. */
function toFunctionName(id: string): string {
  const name = id.replaceAll(/[^A-Za-z0-9_]+/g, "_").replace(/^(?=\d)/, "_");
  return isInputName(name, "python") && !TAKEN.has(name) ? name : `${name}_tool`;
}

function toParameters({ properties, required = [] }: JsonObject): string[] {
  if (properties === null || typeof properties !== "object" || Array.isArray(properties)) return [];
  const names = Object.keys(properties).filter((name) => isInputName(name, "python"));
  const needed = Array.isArray(required) ? names.filter((name) => required.includes(name)) : [];
  return [...needed, ...names.filter((name) => !needed.includes(name))];
}
