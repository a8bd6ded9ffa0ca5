import { type TouchEvent, useRef } from "react";

const FAR = 90;
const FLAT = 45;

/** Whether the finger is on something that moves sideways itself, or where text is chosen. */
function movesItself(target: EventTarget, within: Element): boolean {
  if (!(target instanceof Element) || target.closest("input, textarea") !== null) return true;
  for (let at: Element | null = target; at !== null && at !== within; at = at.parentElement)
    if (at.scrollWidth > at.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
  return false;
}

/** A flat swipe over the card: left for the next, right for the one before. */
export function useSwipe(
  onLeft: () => void,
  onRight: () => void,
): { onTouchStart: (event: TouchEvent) => void; onTouchEnd: (event: TouchEvent) => void } {
  const from = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: (event) => {
      const touch = event.touches[0];
      const swipes = event.touches.length === 1 && !movesItself(event.target, event.currentTarget);
      from.current = swipes && touch !== undefined ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: (event) => {
      const touch = event.changedTouches[0];
      if (from.current === null || touch === undefined) return;
      const x = touch.clientX - from.current.x;
      const y = touch.clientY - from.current.y;
      from.current = null;
      if (Math.abs(x) < FAR || Math.abs(y) > FLAT) return;
      if (x < 0) onLeft();
      else onRight();
    },
  };
}
