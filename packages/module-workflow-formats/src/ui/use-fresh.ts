import { api } from "@oven/ui/api/api-client.ts";
import { useCallback, useEffect, useRef, useState } from "react";

export interface Fresh<Answer> {
  data: Answer | undefined;
  error: unknown;
  refetch: () => void;
}

/** What a path answers, read again when it is asked for and, with `everyMs`, while the page is looked at. */
export function useFresh<Answer>(path: string, everyMs?: number): Fresh<Answer> {
  const [found, setFound] = useState<{ path: string; data?: Answer; error: unknown } | null>(null);
  const [times, setTimes] = useState(0);
  const reading = useRef(false);
  const refetch = useCallback(() => setTimes((before) => before + 1), []);
  useEffect(() => {
    const gone = new AbortController();
    reading.current = true;
    api(path, { signal: gone.signal })
      .then(
        ({ json }) => setFound({ path, data: json as Answer, error: null }), // cast: the caller names the shape of the route
        (error: unknown) => {
          // What was read before stays on the page.
          if (!gone.signal.aborted) setFound((before) => ({ ...(before?.path === path ? before : { path }), error }));
        },
      )
      .finally(() => {
        if (!gone.signal.aborted) reading.current = false;
      });
    return () => gone.abort();
  }, [path, times]);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      // An answer that takes longer than that is waited for.
      if (document.visibilityState === "visible" && !reading.current) refetch();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, refetch]);
  return found?.path === path
    ? { data: found.data, error: found.error, refetch }
    : { data: undefined, error: null, refetch };
}
