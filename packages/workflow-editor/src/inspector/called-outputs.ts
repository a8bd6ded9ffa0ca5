import { isObject, type JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { type CalledKind, getAt, indexStates, TYPE_FROM } from "@oven/scope";

const CALLED: readonly CalledKind[] = ["workflow", "agent", "tool", "table"];
const RESOURCES = { agent: "agents", tool: "tools", table: "tables" } as const;

/** A workflow, an agent, a tool or a table that a step names by a word that is written out. */
export interface Called {
  called: CalledKind;
  /** Path of the API: `agent-workflows/triage`. */
  path: string;
}

/** What a step calls, if its input says so without an expression. @param called as its node's output schema says */
export function toCalled(called: CalledKind, input: JsonObject): Called | null {
  const ref = input[called];
  if (typeof ref !== "number" && (typeof ref !== "string" || ref === "" || /^\$\.|\{\{/.test(ref))) return null;
  const workflows = input.kind === "agent-workflow" ? "agent-workflows" : "workflows";
  const resource = called === "workflow" ? workflows : RESOURCES[called];
  return { called, path: `${resource}/${encodeURIComponent(String(ref))}` };
}

/** The paths of all workflows, agents, tools and tables of which a definition's steps hand on the output, each once. */
export function listCalled(document: JsonObject, nodeTypes: readonly NodeType[]): string[] {
  const kinds = new Map(nodeTypes.map(({ id, outputSchema }) => [id, calledBy(outputSchema)]));
  const paths = indexStates(document).list.flatMap(({ state }) => {
    const src = getAt(state, ["invoke", "src"]);
    const called = typeof src === "string" ? kinds.get(src) : undefined;
    const input = getAt(state, ["invoke", "input"]);
    const found = called === undefined || !isObject(input) ? null : toCalled(called, input);
    return found === null ? [] : [found.path];
  });
  return [...new Set(paths)].sort();
}

function calledBy({ properties }: JsonObject): CalledKind | undefined {
  const ways = Object.values(isObject(properties) ? properties : {}).flatMap((part) => {
    const from = isObject(part) ? part[TYPE_FROM] : undefined;
    return Array.isArray(from) ? from : [from];
  });
  return CALLED.find((called) => ways.some((way) => isObject(way) && way.called === called));
}
