import {
  PlanPromotionSchema,
  type PromotedTable,
  type PromotionFile,
  PromotionPlanSchema,
  PromotionReportSchema,
} from "@oven/contract/workflow";
import { planText } from "../promotion-text.ts";
import { nextBase, toLine } from "./compare-sides.ts";
import { readServer } from "./installation.ts";
import { readLock, writeLock } from "./lock-file.ts";
import type { Sides } from "./read-sides.ts";
import type { SyncItem, SyncItems } from "./sync-item.ts";

export interface PushOptions {
  /** Else workflows that are there get a draft; agents and triggers that are there stay as they are. */
  publish: boolean;
  dryRun: boolean;
  /** The files win everywhere. */
  force: boolean;
}

type Write = (text: string) => void;

/**
 * Imports what changed in the files, all of it or nothing, as a promotion.
 * @returns 1 when nothing was imported because of conflicts or missing names, or when something differs afterwards
 * @throws Error as the server refuses it
 */
export async function push(sides: Sides, options: PushOptions, write: Write): Promise<number> {
  const { files, server, compared, api } = sides;
  const conflicts = compared.filter(({ state }) => state === "conflict");
  if (conflicts.length > 0 && !options.force) {
    for (const { path } of conflicts) write(toLine("conflict", path));
    write("\nNothing was pushed. Pull and merge first, or let the files win with --force.\n");
    return 1;
  }
  const wins = new Set(["file-changed", "only-in-files", ...(options.force ? ["conflict", "server-changed"] : [])]);
  const chosen: SyncItem[] = [];
  for (const { path, state, known } of compared) {
    const item = files.get(path);
    if (item !== undefined && wins.has(state)) chosen.push(item);
    else if (state === "only-on-server") write(toLine(state, path, known ? "push deletes nothing" : "pull writes it"));
    else if (state !== "same") write(toLine(state, path, server.notExported.get(path)));
  }
  // Promotion never changes columns of a table that is there.
  const stays = chosen.filter(({ path, file }) => file.format === "oven-table" && server.items.has(path));
  for (const { path } of stays)
    write(toLine("file-changed", path, "a table that is there keeps its columns: change them there"));
  const pushed = chosen.filter((item) => !stays.includes(item));
  // A file that differs and is not pushed: the files are not what the server runs.
  const left = stays.length + (options.force ? 0 : compared.filter(({ state }) => state === "server-changed").length);
  if (pushed.length === 0) {
    write("Nothing to push.\n");
    return left > 0 ? 1 : 0;
  }

  const given = PlanPromotionSchema.parse({ file: toPromotion(pushed, sides), publish: options.publish });
  const plan = PromotionPlanSchema.parse(await api.call("POST", "promotions/plan", given));
  write(planText({ ...plan, items: plan.items.filter(({ change }) => change !== "same") }));
  for (const { path, file } of pushed) if (file.format === "oven-table") write(`create  ${path}\n`);
  if (plan.missing > 0) {
    write("\nNothing was pushed: what is missing must be there under the same name, or in the files.\n");
    return 1;
  }
  if (options.dryRun) return 0;
  // The plan was made after the sides were compared: what it was made of must be what was compared.
  requireUnchanged(pushed, server.items, (await readServer(api)).items);
  PromotionReportSchema.parse(await api.call("POST", "promotions/apply", { ...given, digest: plan.digest }));
  return settle(sides, { pushed, publish: options.publish, left }, write);
}

/** Reads the server once more: what is in step now is what the lock file says. */
async function settle(
  { dir, api, name, files, base }: Sides,
  { pushed, publish, left }: { pushed: readonly SyncItem[]; publish: boolean; left: number },
  write: Write,
): Promise<number> {
  const after = (await readServer(api)).items;
  await writeLock(dir, await readLock(dir), name, nextBase(files, after, base));
  const differing = pushed.filter(({ path, hash }) => after.get(path)?.hash !== hash);
  write(`\nPushed ${pushed.length} ${pushed.length === 1 ? "file" : "files"}.\n`);
  if (!publish) {
    if (differing.length > 0)
      write(
        `${differing.length} waiting to be published: workflows have a draft, agents and triggers are as before.\n`,
      );
    return left > 0 ? 1 : 0;
  }
  for (const { path } of differing)
    write(toLine("file-changed", path, "still differs: promotion deletes no triggers, pull shows what is there"));
  return differing.length + left > 0 ? 1 : 0;
}

/** One promotion of them all: the server brings them into the order in which they call each other. */
function toPromotion(pushed: readonly SyncItem[], { files, compared }: Sides): PromotionFile {
  const parts = pushed.map(({ file }) => file);
  const promotions = parts.filter((file) => file.format === "oven-promotion");
  if (promotions.length === 0) promotions.push(anchorOf(files, compared));
  const [{ root }] = promotions as [PromotionFile, ...PromotionFile[]]; // cast: one was added
  return {
    format: "oven-promotion",
    version: 1,
    root,
    workflows: promotions.flatMap(({ workflows }) => workflows),
    agents: parts.flatMap((file) => (file.format === "oven-agent" ? [file.agent] : [])),
    triggers: promotions.flatMap(({ triggers }) => triggers),
    tables: inOrderOfReferences(parts.flatMap((file) => (file.format === "oven-table" ? [file.table] : []))),
  };
}

/** A promotion is of a workflow: one that is the same on both sides stands for agents and tables alone. */
function anchorOf(files: SyncItems, compared: Sides["compared"]): PromotionFile {
  for (const { path, state } of compared) {
    const file = files.get(path)?.file;
    if (state === "same" && file?.format === "oven-promotion") return file;
  }
  throw new Error(
    "agents and tables are pushed beside a workflow, and no workflow is in step: pull first, or push one",
  );
}

/** Those that others refer to first. */
function inOrderOfReferences(tables: readonly PromotedTable[]): PromotedTable[] {
  const bySlug = new Map(tables.map((table) => [table.slug, table]));
  const ordered = new Set<PromotedTable>();
  const visited = new Set<string>();
  const visit = (table: PromotedTable): void => {
    if (visited.has(table.slug)) return;
    visited.add(table.slug);
    for (const { references } of table.columns) {
      const target = references === undefined ? undefined : bySlug.get(references);
      if (target !== undefined) visit(target);
    }
    ordered.add(table);
  };
  for (const table of tables) visit(table);
  return [...ordered];
}

/** @throws Error */
function requireUnchanged(pushed: readonly SyncItem[], before: SyncItems, now: SyncItems): void {
  for (const { path } of pushed)
    if (before.get(path)?.hash !== now.get(path)?.hash)
      throw new Error(
        `${path} was changed on the server at this moment; nothing was pushed. Look at the status again.`,
      );
}
