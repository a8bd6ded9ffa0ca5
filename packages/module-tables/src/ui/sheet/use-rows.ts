import { type TableFilter, type TableRow, TableRowSchema } from "@oven/contract/table";
import { api } from "@oven/ui/api/api-client.ts";
import { useCallback, useEffect, useRef, useState } from "react";
import { z } from "zod";

const PAGE = 200;

/** Which rows a sheet shows, and in which order. */
export interface SheetQuery {
  where: TableFilter;
  q: string;
  sort: { field: string; order: "ASC" | "DESC" };
}

export interface SheetRows {
  /** undefined: not known yet. */
  total: number | undefined;
  failure: unknown;
  /** undefined: it is being read. */
  at: (index: number) => TableRow | undefined;
  /** Reads what is missing between two indexes. */
  need: (first: number, last: number) => void;
  /** Puts rows in the place of those with the same ids. */
  replace: (rows: readonly TableRow[]) => void;
  reload: () => void;
}

/** Rows of a table, read page by page as they are shown. */
export function useRows(tableId: number, query: SheetQuery): SheetRows {
  const [rows, setRows] = useState<ReadonlyMap<number, TableRow>>(new Map());
  const [total, setTotal] = useState<number>();
  const [failure, setFailure] = useState<unknown>(null);
  const [revision, setRevision] = useState(0);
  const asked = useRef(new Set<number>());
  const key = JSON.stringify(query);
  // The same words are the same query, whichever object holds them.
  const [stable, setStable] = useState(query);
  if (JSON.stringify(stable) !== key) setStable(query);

  const read = useCallback(
    async (page: number, signal: AbortSignal): Promise<void> => {
      const { where, q, sort } = stable;
      const first = page * PAGE;
      try {
        const { json, headers } = await api(`tables/${tableId}/rows`, {
          signal,
          query: {
            filter: JSON.stringify(where),
            sort: JSON.stringify([sort.field, sort.order]),
            range: JSON.stringify([first, first + PAGE - 1]),
            ...(q === "" ? {} : { q }),
          },
        });
        const found = z.array(TableRowSchema).parse(json);
        setTotal(Number(headers.get("content-range")?.split("/")[1] ?? found.length));
        setRows((before) => new Map([...before, ...found.map((row, at): [number, TableRow] => [first + at, row])]));
        setFailure(null);
      } catch (error) {
        if (signal.aborted) return;
        asked.current.delete(page);
        setFailure(error);
      }
    },
    [tableId, stable],
  );

  const life = useRef(new AbortController());
  useEffect(() => {
    const own = new AbortController();
    life.current = own;
    asked.current = new Set([0]);
    setRows(new Map());
    void read(0, own.signal);
    return () => own.abort();
  }, [read, revision]);

  const need = useCallback(
    (first: number, last: number) => {
      for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++) {
        if (asked.current.has(page)) continue;
        asked.current.add(page);
        void read(page, life.current.signal);
      }
    },
    [read],
  );
  const replace = useCallback((changed: readonly TableRow[]) => {
    const byId = new Map(changed.map((row) => [row.id, row]));
    setRows((before) => new Map([...before].map(([index, row]) => [index, byId.get(row.id) ?? row])));
  }, []);
  const at = useCallback((index: number) => rows.get(index), [rows]);
  const reload = useCallback(() => setRevision((before) => before + 1), []);
  return { total, failure, at, need, replace, reload };
}
