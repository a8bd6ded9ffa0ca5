import { useLayoutEffect } from "react";
import { useNavigationType } from "react-router-dom";

/** A page that a link leads to is shown from its top; one that is gone back to, where the browser has it. */
export function useTopOfPage(pathname: string): void {
  const type = useNavigationType();
  useLayoutEffect(() => {
    if (type !== "POP") window.scrollTo(0, 0);
    // Not when only the kind of navigation changes: tabs of a page are in its search.
  }, [pathname]);
}
