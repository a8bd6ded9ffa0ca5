import type { Database } from "@oven/db";
import { languageOf } from "./search-items.ts";
import { SEARCH_VERSION, toSearchText } from "./search-text.ts";
import type { StoreRow } from "./vector-store-rows.ts";

const BATCH = 200;

/**
 * Prepares some texts anew for the search by words that an older version of OVEN wrote. Several processes share the work.
 * @returns whether there may be more
 */
export async function refreshSearch(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<{
      id: number;
      language: StoreRow["language"];
      content: string;
      headings: string[] | null;
    }>(
      `select i.id, s.language, i.content, i.headings from ai_vector_items i join ai_vector_stores s on s.id = i.vector_store_id
       where i.search_version < ${SEARCH_VERSION} order by i.id limit ${BATCH} for update of i skip locked`,
    );
    for (const language of new Set(rows.map(languageOf))) {
      const items = rows
        .filter((row) => languageOf(row) === language)
        .map(({ id, content, headings }) => ({ id, search: toSearchText([...(headings ?? []), content].join(" ")) }));
      await tx.query(
        `update ai_vector_items i set search = to_tsvector('${language}', item.search), search_version = ${SEARCH_VERSION}
         from json_to_recordset($1::text::json) as item(id bigint, search text) where i.id = item.id`,
        [JSON.stringify(items)],
      );
    }
    return rows.length === BATCH;
  });
}
