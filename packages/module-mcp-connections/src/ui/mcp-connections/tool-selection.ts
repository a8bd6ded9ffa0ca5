import type { McpConnectionTool } from "@oven/contract/mcp";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useState } from "react";

export interface ToolSelection {
  /** Those that are picked and still wait for approval. */
  picked: readonly McpConnectionTool[];
  mayPick(tool: McpConnectionTool): boolean;
  has(tool: McpConnectionTool): boolean;
  toggle(tool: McpConnectionTool): void;
  pick(tools: readonly McpConnectionTool[]): void;
  clear(): void;
}

/** Tools that are picked to be approved together. */
export function useToolSelection(tools: readonly McpConnectionTool[]): ToolSelection {
  const mayApprove = useCan("mcp-connections.approve");
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const mayPick = ({ state }: McpConnectionTool) => mayApprove && (state === "new" || state === "changed");
  return {
    picked: tools.filter((tool) => ids.has(tool.id) && mayPick(tool)),
    mayPick,
    has: ({ id }) => ids.has(id),
    toggle: ({ id }) => setIds((before) => (before.has(id) ? without(before, id) : new Set([...before, id]))),
    pick: (more) => setIds((before) => new Set([...before, ...more.map(({ id }) => id)])),
    clear: () => setIds(new Set()),
  };
}

function without(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  return new Set([...ids].filter((one) => one !== id));
}

/** Whether a tool has all the words of a search, in its name, title or description. */
export function matchesTool({ name, listed }: McpConnectionTool, query: string): boolean {
  const text = `${name} ${listed.title ?? ""} ${listed.description}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
