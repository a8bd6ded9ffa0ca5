import { useLayoutEffect, useRef, useState } from "react";

const MOVE_MS = 220;

/** For a moment after a new layout: the cards go where they belong instead of jumping there. */
export function useMoving(layout: unknown): boolean {
  const [moving, setMoving] = useState(false);
  const first = useRef(layout);
  useLayoutEffect(() => {
    if (first.current === layout) return;
    first.current = layout;
    setMoving(true);
    const timer = setTimeout(() => setMoving(false), MOVE_MS);
    return () => clearTimeout(timer);
  }, [layout]);
  return moving;
}
