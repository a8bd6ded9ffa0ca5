import type { Json } from "@oven/contract";
import type { ResourceSource } from "@oven/module-workflows";
import type { TablesFace } from "./tables.module.ts";

/** Rows of one resource. */
const MOST_ROWS = 1_000;
/** Tables of the list. */
const MOST_TABLES = 200;

/** Tables as resources of the platform's MCP server: the columns and the first rows. */
export function tableResources({ definitions, rows }: TablesFace): ResourceSource {
  return {
    name: "table",
    path: "tables",
    title: "Table",
    description: `The columns of a table and its first ${MOST_ROWS} rows`,
    permission: "tables.read",
    async list(principal) {
      const params = {
        sort: { field: "name", order: "ASC" as const },
        range: { first: 0, last: MOST_TABLES - 1 },
        filter: {},
      };
      const listed = await definitions.list(principal, params);
      return listed.rows.map(({ slug, name, description, rows: count, columns }) => ({
        id: slug,
        title: name,
        description: description ?? `${count} rows with ${columns.map((column) => column.name).join(", ")}`,
      }));
    },
    async read(principal, id): Promise<Json> {
      const { slug, name, description, columns } = await definitions.get(principal, id);
      const { rows: found, total } = await rows.list(principal, id, { where: {}, limit: MOST_ROWS });
      return JSON.parse(
        JSON.stringify({ slug, name, description, columns, rows: found, total, truncated: total > found.length }),
      );
    },
  };
}
