import { isObject, type Json } from "@oven/contract";
import type { VectorMatch } from "@oven/contract/ai";
import type { NodeRun } from "@oven/contract/run";

/** A passage of a document that the run has found, or a page that it has read. */
export type Source =
  | { kind: "passage"; title: string; headings: string[]; text: string }
  | { kind: "page"; url: string };

/** What a run read before it asked: passages of its knowledge, those that an answer cites where it cites any, and what it got over HTTP. */
export function toSources(
  nodes: readonly Pick<NodeRun, "nodeType" | "status" | "input" | "output" | "toolCalls">[],
): Source[] {
  const found = new Map<string, Source>();
  for (const { nodeType, status, input, output, toolCalls } of nodes) {
    if (status !== "completed") continue;
    for (const passage of [output, ...(toolCalls ?? []).map(({ result }) => result ?? null)].flatMap(passagesIn))
      found.set(JSON.stringify(passage), passage);
    const url = nodeType === "core.http" ? urlRead(input) : undefined;
    if (url !== undefined) found.set(url, { kind: "page", url });
  }
  return [...found.values()];
}

function passagesIn(value: Json): Source[] {
  if (!isObject(value) || !Array.isArray(value.matches)) return [];
  const cited = new Set(Array.isArray(value.citations) ? value.citations.map(keyOf) : []);
  return value.matches.filter((match) => cited.size === 0 || cited.has(keyOf(match))).flatMap(toPassage);
}

function keyOf(value: Json): string | undefined {
  return isObject(value) && typeof value.key === "string" ? value.key : undefined;
}

function toPassage(value: Json): Source[] {
  const match = value as Partial<VectorMatch> | null; // cast: what is missing is checked next
  if (typeof match?.key !== "string" || typeof match.text !== "string") return [];
  const { key, text, source } = match;
  return [{ kind: "passage", title: source?.title ?? key, headings: source?.headings ?? [], text }];
}

/** Undefined: the request sent something, and is no source. */
function urlRead(input: Json): string | undefined {
  if (!isObject(input) || typeof input.url !== "string") return undefined;
  return input.method === undefined || input.method === "GET" ? input.url : undefined;
}
