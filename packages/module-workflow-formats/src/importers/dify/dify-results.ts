import type { Json, JsonObject } from "@oven/contract";
import type { Action } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import { reachedFrom } from "../../importing/complete/carry-over.ts";
import type { Part, Way } from "../../importing/graph/graph-parts.ts";
import { nodeOfPart, partKey } from "../../importing/graph/part-key.ts";
import type { StateNames } from "../../importing/graph/state-names.ts";
import { toPath } from "../../importing/literals.ts";
import type { DifyDocument } from "./dify-document.ts";

/** The one place where a run ends once its results are gathered. */
const RESULT = partKey("result");

interface Graph {
  document: DifyDocument;
  parts: Map<string, Part>;
  entry: readonly string[];
  names: StateNames;
}

/**
 * Dify joins the texts of all answers that a run comes to, and merges the outputs of all end nodes. Where one run can come
 * to several of them, or can end elsewhere, each adds to a variable of the run, and all ways lead to one final state.
 * @returns the variable and its first value, or nothing where each way ends at its own end or answer anyway
 */
export function gatherResults({ document, parts, entry, names }: Graph): JsonObject {
  const type = document.isChat ? "answer" : "end";
  const given = [...parts.keys()].filter((key) => document.nodes.get(key)?.type === type);
  const inside = partsInside(parts, document);
  const outer = [...parts].filter(([key]) => !inside.has(key));
  const isFork = (targets: readonly string[] = []) => new Set(targets).size > 1;
  const hasForks =
    isFork(entry) || outer.some(([, { ways, onError }]) => isFork(onError) || ways.some((way) => isFork(way.targets)));
  const endsApart = outer.every(([key, part]) => (given.includes(key) ? isLast(part) : !canEnd(part)));
  if (given.length === 0 || (!hasForks && endsApart && given.every((key) => !inside.has(key)))) return {};
  const variable = names.take(document.isChat ? "reply" : "outputs");
  const path = `$.${variable}`;
  for (const key of given) {
    const part = parts.get(key);
    if (part === undefined) continue;
    const actions = document.isChat ? [addText(path, part)] : addOutputs(path, part);
    const { final: _, ...rest } = part;
    const ways = part.ways.length === 0 ? [{ targets: [] }] : part.ways;
    parts.set(key, { ...rest, ways: ways.map((way) => ({ ...way, actions })) });
  }
  for (const [key, part] of [...parts]) if (!inside.has(key)) parts.set(key, toResult(part));
  parts.set(RESULT, {
    id: names.take("result"),
    label: document.isChat ? "Reply" : "Outputs",
    final: { output: document.isChat ? { text: path } : path },
    ways: [],
  });
  return { [variable]: document.isChat ? "" : {} };
}

/** Parts of rounds: what stands in an iteration or a loop, and what its steps lead to although it stands outside. */
function partsInside(parts: ReadonlyMap<string, Part>, { nodes }: DifyDocument): ReadonlySet<string> {
  const standing = [...parts.keys()].filter((key) => nodes.get(nodeOfPart(key))?.parent !== undefined);
  const bodies = [...parts.values()].flatMap(({ loop }) => (loop === undefined ? [] : [loop.body.entry]));
  return new Set([...standing, ...bodies.flatMap((entry) => [...reachedFrom(entry, parts)])]);
}

const isLast = ({ ways }: Part): boolean => ways.every(({ targets }) => targets.length === 0);

/** Whether a run may end behind it. Where all ways have guards, one of them always passes. */
function canEnd({ ways, onError }: Part): boolean {
  return ways.length === 0 || ways.some(({ targets }) => targets.length === 0) || onError?.length === 0;
}

/** Where no guard passes, the run ends. */
function allWays(ways: readonly Way[]): readonly Way[] {
  return ways.some(({ guard }) => guard === undefined) ? ways : [...ways, { targets: [] }];
}

function toResult({ ways, onError, endOutput: _, ...part }: Part): Part {
  const lead = (targets: readonly string[]) => (targets.length === 0 ? [RESULT] : targets);
  return {
    ...part,
    ways: allWays(ways).map((way) => ({ ...way, targets: lead(way.targets) })),
    ...(onError === undefined ? {} : { onError: lead(onError) }),
  };
}

function addText(path: string, { id }: Part): Action {
  return { type: "assign", params: { path, value: `{{ ${path} }}{{ $.${id}_output.text }}` } };
}

function addOutputs(path: string, { final }: Part): Action[] {
  const output: Json = final?.output ?? {};
  return Object.entries(isObject(output) ? output : {}).map(([name, value]) => ({
    type: "assign",
    params: { path: toPath(path, [name]), value },
  }));
}
