import { useEffect, useState } from "react";
import { api } from "../providers/api-client.ts";

/** What a path answers; read again when the path or `again` is another. */
export function useAnswer<Answer>(path: string | null, again?: unknown): { data: Answer | undefined; error: unknown } {
  const [found, setFound] = useState<{ path: string; data?: Answer | undefined; error?: unknown }>();
  useEffect(() => {
    if (path === null) return;
    void again;
    const gone = new AbortController();
    api(path, { signal: gone.signal }).then(
      ({ json }) => setFound({ path, data: json as Answer }), // cast: the caller names the shape of the route
      (error: unknown) => {
        if (gone.signal.aborted) return;
        // What was known before is still the best that is known.
        setFound((before) => ({ path, error, data: before?.path === path ? before.data : undefined }));
      },
    );
    return () => gone.abort();
  }, [path, again]);
  return found !== undefined && found.path === path
    ? { data: found.data, error: found.error ?? null }
    : { data: undefined, error: null };
}
