import { type RefObject, useEffect, useRef } from "react";

/** Keys of the page the editor is on, also while nothing has the focus: what had it may just have been deleted. */
export function useKeys(root: RefObject<HTMLElement | null>, onKeyDown: (event: KeyboardEvent) => void): void {
  const current = useRef(onKeyDown);
  current.current = onKeyDown;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const page = root.current?.closest("main") ?? root.current;
      const isOurs =
        event.target === document.body || (event.target instanceof Node && page?.contains(event.target) === true);
      if (isOurs) current.current(event);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [root]);
}
