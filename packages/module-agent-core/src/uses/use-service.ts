import type { Principal } from "@oven/contract";
import type { Use, Uses } from "@oven/contract/agent";
import { namesTool } from "../tools/tool-patterns.ts";

/** What is looked for in agents and workflows. */
export type Wanted = { tool: string } | { model: string };

/** How many rows of a kind are looked through that have one of the words. */
export const LOOKED_THROUGH = 200;

/** Finds what names something, among what the principal may see. `words`: at least one of them stands in whatever names it. */
export type UseFinder = (principal: Principal, wanted: Wanted, words: readonly string[]) => Promise<Uses>;

/** Where tools and models are named. */
export interface UseService {
  /** By kind and name. */
  of(principal: Principal, wanted: Wanted): Promise<Uses>;
  addFinder(find: UseFinder): void;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    uses: UseService;
  }
}

/** @param madeOfAgents those of agent workflows that were made from an agent's settings: the agent is named instead */
export function createUseService(
  madeOfAgents: (tenantId: number, workflowIds: readonly number[]) => Promise<ReadonlySet<number>>,
): UseService {
  const finders: UseFinder[] = [];
  return {
    addFinder: (find) => void finders.push(find),
    async of(principal, wanted) {
      const words = wordsFor(wanted);
      const found = await Promise.all(finders.map((find) => find(principal, wanted, words)));
      const all = found.flatMap(({ uses }) => uses);
      const workflows = all.filter(({ kind }) => kind === "agent-workflow").map(({ id }) => id);
      const made = await madeOfAgents(principal.tenantId, workflows);
      return {
        uses: all
          .filter(({ kind, id }) => kind !== "agent-workflow" || !made.has(id))
          .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)),
        truncated: found.some(({ truncated }) => truncated),
      };
    },
  };
}

/** `orders.refund.get` is named by itself, by `orders.refund.*`, `orders.*` and `*`. */
function wordsFor(wanted: Wanted): string[] {
  if ("model" in wanted) return [wanted.model];
  const parts = wanted.tool.split(".");
  const patterns = parts.slice(1).map((_, at) => `${parts.slice(0, at + 1).join(".")}.*`);
  return [wanted.tool, ...patterns, "*"];
}

/** The pattern by which patterns name a tool; undefined: they do not, or except it. */
export function patternNaming(patterns: readonly string[], id: string): string | undefined {
  return namesTool(patterns, id) ? patterns.find((pattern) => namesTool([pattern], id)) : undefined;
}

function sortKey({ kind, name }: Use): string {
  return `${kind} ${name.toLowerCase()}`;
}
