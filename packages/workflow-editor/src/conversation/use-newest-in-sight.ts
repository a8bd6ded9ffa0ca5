import { type RefObject, useEffect } from "react";

/** How far from the end somebody may be who still reads the end. */
const NEAR = 80;

/** Scrolls along with what is added at the end, unless the reader has gone back. */
export function useNewestInSight(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = content.current;
    const box = element?.closest<HTMLElement>("[role=region]");
    if (element == null || box == null) return;
    let follows = true;
    let top = box.scrollTop;
    const onScroll = (): void => {
      // What was added since moved the end away, not the reader: only who goes up has gone back.
      if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR) follows = true;
      else if (box.scrollTop < top) follows = false;
      top = box.scrollTop;
    };
    const observer = new ResizeObserver(() => {
      if (follows) box.scrollTop = box.scrollHeight;
    });
    observer.observe(element);
    box.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", onScroll);
    };
  }, [content]);
}
