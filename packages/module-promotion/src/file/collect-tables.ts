import { isGranted, type Principal } from "@oven/contract";
import type { Table } from "@oven/contract/table";
import type { PromotedTable } from "@oven/contract/workflow";
import { orNone, type PromotionDeps } from "../promotion-deps.ts";

/**
 * The columns of tables by their slugs, with those of the tables that they refer to. Rows are left where they are.
 * @returns those that refer to others after these; none for a principal who may not see tables
 */
export async function collectTables(
  { services }: PromotionDeps,
  principal: Principal,
  slugs: Iterable<string>,
): Promise<PromotedTable[]> {
  if (!isGranted(principal.permissions, "tables.read")) return [];
  const found = new Map<string, PromotedTable>();
  const visited = new Set<string>();
  const visit = async (slug: string): Promise<void> => {
    if (visited.has(slug)) return;
    visited.add(slug);
    const table = await orNone(services.tables.definitions.get(principal, slug));
    if (table === undefined) return;
    for (const { references } of table.columns) if (references !== undefined) await visit(references);
    found.set(slug, toPromotedTable(table));
  };
  for (const slug of [...slugs].toSorted()) await visit(slug);
  return [...found.values()];
}

function toPromotedTable({ slug, name, description, columns, unique }: Table): PromotedTable {
  return { slug, name, description, columns: columns.map(({ key: _key, ...column }) => column), unique };
}
