import { useEffect, useState } from "react";
import { api } from "../api/api-client.ts";
import { readPages } from "../api/read-pages.ts";

type Read = (path: string, signal: AbortSignal) => Promise<unknown>;

const readOnce: Read = async (path, signal) => (await api(path, { signal })).json;
const readAll: Read = (path, signal) => readPages(api, path, signal);

/** All rows of a list, page by page; read again when the path is another. */
export function useAllRows<Row>(path: string | null): { data: Row[] | undefined; error: unknown } {
  return useAnswer<Row[]>(path, undefined, readAll);
}

/** What a path answers; read again when the path, `again` or the way to read is another. */
export function useAnswer<Answer>(
  path: string | null,
  again?: unknown,
  read: Read = readOnce,
): { data: Answer | undefined; error: unknown } {
  const [found, setFound] = useState<{ path: string; data?: Answer | undefined; error?: unknown }>();
  useEffect(() => {
    if (path === null) return;
    void again;
    const gone = new AbortController();
    read(path, gone.signal).then(
      (answer) => setFound({ path, data: answer as Answer }), // cast: the caller names the shape of the route
      (error: unknown) => {
        if (gone.signal.aborted) return;
        // What was known before is still the best that is known.
        setFound((before) => ({ path, error, data: before?.path === path ? before.data : undefined }));
      },
    );
    return () => gone.abort();
  }, [path, again, read]);
  return found !== undefined && found.path === path
    ? { data: found.data, error: found.error ?? null }
    : { data: undefined, error: null };
}
