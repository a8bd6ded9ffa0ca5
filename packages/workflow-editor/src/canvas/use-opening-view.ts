import { useReactFlow } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { showReadable } from "./readable-view.ts";

/** Once, when there is something to see: everything, or its beginning where that would be too small to read. */
export function useOpeningView(ready: boolean, settled: boolean, many: boolean, filled: boolean): void {
  const flow = useReactFlow();
  const opened = useRef<"no" | "roughly" | "yes">("no");
  useEffect(() => {
    if (!ready || !filled || opened.current === "yes" || (opened.current === "roughly" && !settled)) return;
    opened.current = settled ? "yes" : "roughly";
    const frame = requestAnimationFrame(() => showReadable(flow, { many }));
    return () => cancelAnimationFrame(frame);
  }, [ready, settled, filled, many, flow]);
}
