import { readFile, stat } from "node:fs/promises";
import type {
  PromotedAgent,
  PromotedFile,
  PromotedTable,
  PromotedTrigger,
  PromotedWorkflow,
} from "@oven/contract/workflow";
import { readFolder, toPromotedFile } from "../sync/folder.ts";

/** Everything that a file or a folder has, each by what it is called. */
export interface Parts {
  workflows: ReadonlyMap<string, PromotedWorkflow>;
  agents: ReadonlyMap<string, PromotedAgent>;
  triggers: ReadonlyMap<string, PromotedTrigger>;
  tables: ReadonlyMap<string, PromotedTable>;
}

/**
 * @param path a folder of `oven sync`, a file of it, or a promotion file. An empty file, such as `/dev/null`, has nothing: `git difftool`
 *   gives it for what was added or removed
 */
export async function readParts(path: string): Promise<Parts> {
  if ((await stat(path)).isDirectory()) return toParts([...(await readFolder(path)).values()].map(({ file }) => file));
  const bytes = await readFile(path);
  return toParts(bytes.length === 0 ? [] : [toPromotedFile(bytes, path)]);
}

function toParts(files: readonly PromotedFile[]): Parts {
  const promotions = files.filter((file) => file.format === "oven-promotion");
  const agents = [
    ...promotions.flatMap((file) => file.agents),
    ...files.flatMap((file) => (file.format === "oven-agent" ? [file.agent] : [])),
  ];
  const tables = [
    ...promotions.flatMap((file) => file.tables),
    ...files.flatMap((file) => (file.format === "oven-table" ? [file.table] : [])),
  ];
  const triggers = new Map<string, PromotedTrigger>();
  for (const trigger of promotions.flatMap((file) => file.triggers)) {
    const { kind, slug } = trigger.target;
    const key = `${trigger.name} (${trigger.type}) of ${kind} ${slug}`;
    let [own, count] = [key, 1];
    while (triggers.has(own)) own = `${key}, ${++count}`;
    triggers.set(own, trigger);
  }
  return {
    workflows: new Map(
      promotions.flatMap(({ workflows }) => workflows.map((one) => [`${one.kind} ${one.slug}`, one] as const)),
    ),
    agents: new Map(agents.map((agent) => [agent.slug, agent])),
    triggers,
    tables: new Map(tables.map((table) => [table.slug, table])),
  };
}
