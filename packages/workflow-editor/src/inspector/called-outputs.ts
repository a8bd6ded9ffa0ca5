import { isObject, type JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { getAt, indexStates, TYPE_FROM } from "@oven/scope";

/** A workflow or an agent that a step calls by a name that is written out. */
export interface Called {
  called: "workflow" | "agent";
  /** Path of the API: `agent-workflows/triage`. */
  path: string;
}

/** What a step calls, if its input says so without an expression. @param called as its node's output schema says */
export function toCalled(called: "workflow" | "agent", input: JsonObject): Called | null {
  const ref = input[called];
  if (typeof ref !== "number" && (typeof ref !== "string" || ref === "" || /^\$\.|\{\{/.test(ref))) return null;
  const resource = called === "agent" ? "agents" : input.kind === "agent-workflow" ? "agent-workflows" : "workflows";
  return { called, path: `${resource}/${encodeURIComponent(String(ref))}` };
}

/** The paths of all workflows and agents of which a definition's steps hand on the output, each once. */
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

function calledBy({ properties }: JsonObject): "workflow" | "agent" | undefined {
  for (const part of Object.values(isObject(properties) ? properties : {})) {
    const from = isObject(part) ? part[TYPE_FROM] : undefined;
    if (isObject(from) && (from.called === "workflow" || from.called === "agent")) return from.called;
  }
  return undefined;
}
