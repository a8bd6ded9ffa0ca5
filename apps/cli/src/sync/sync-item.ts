import type { Json } from "@oven/contract";
import {
  type PromotedEverything,
  type PromotedFile,
  PromotedFileSchema,
  type PromotionFile,
} from "@oven/contract/workflow";
import { hashJson } from "@oven/engine";

/** One file of a folder that is in step with an installation, or what the installation has for it. */
export interface SyncItem {
  /** In the folder, with `/`. */
  path: string;
  file: PromotedFile;
  /** Of what it says, however it is written. */
  hash: string;
}

/** By path, in the order of the paths. */
export type SyncItems = ReadonlyMap<string, SyncItem>;

export const FOLDERS = ["agent-workflows", "agents", "tables", "workflows"] as const;

/** What an installation has, as files: one workflow with its triggers, one agent, or one table in each. */
export function toItems({ workflows, agents, triggers, tables }: PromotedEverything): SyncItems {
  const files: PromotedFile[] = [
    ...workflows.map((workflow): PromotionFile => {
      const { kind, slug } = workflow;
      const own = triggers.filter(({ target }) => target.kind === kind && target.slug === slug);
      const rest = { agents: [], triggers: own, tables: [] };
      return { format: "oven-promotion", version: 1, root: { kind, slug }, workflows: [workflow], ...rest };
    }),
    ...agents.map((agent): PromotedFile => ({ format: "oven-agent", version: 1, agent })),
    ...tables.map((table): PromotedFile => ({ format: "oven-table", version: 1, table })),
  ];
  return inOrder(files.map(toItem));
}

export function toItem(given: PromotedFile): SyncItem {
  // Keys in the order of the schema, and only what JSON has.
  const file = PromotedFileSchema.parse(JSON.parse(JSON.stringify(given)));
  const json: Json = JSON.parse(JSON.stringify(file));
  return { path: pathOf(file), file, hash: hashJson(json) };
}

export function inOrder(items: readonly SyncItem[]): SyncItems {
  const sorted = items.toSorted((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)));
  return new Map(sorted.map((item) => [item.path, item]));
}

/** Where a workflow that cannot be exported would stand. */
export function pathOfWorkflow({ kind, slug }: PromotionFile["root"]): string {
  return `${kind === "workflow" ? "workflows" : "agent-workflows"}/${slug}.json`;
}

function pathOf(file: PromotedFile): string {
  switch (file.format) {
    case "oven-promotion":
      return pathOfWorkflow(file.root);
    case "oven-agent":
      return `agents/${file.agent.slug}.json`;
    case "oven-table":
      return `tables/${file.table.slug}.json`;
  }
}
