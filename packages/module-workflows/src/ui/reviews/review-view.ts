/** What the inbox shows; it lives in the address, so that it can be kept and sent to others. */
export interface ReviewView {
  show: "mine" | "open" | "decided";
  due: "any" | "overdue" | "day";
  sort: "oldest" | "due";
  q: string;
}

export const DEFAULT_VIEW: ReviewView = { show: "open", due: "any", sort: "due", q: "" };

const DAY_MS = 86_400_000;

function oneOf<T extends string>(value: string | null, known: readonly T[], otherwise: T): T {
  return known.find((one) => one === value) ?? otherwise;
}

export function readView(search: URLSearchParams): ReviewView {
  return {
    show: oneOf(search.get("show"), ["mine", "open", "decided"], DEFAULT_VIEW.show),
    due: oneOf(search.get("due"), ["any", "overdue", "day"], DEFAULT_VIEW.due),
    sort: oneOf(search.get("sort"), ["oldest", "due"], DEFAULT_VIEW.sort),
    q: search.get("q") ?? "",
  };
}

/** `?show=mine&due=overdue`; what is as usual is left out, and nothing at all is no question mark. */
export function writeView(view: ReviewView): string {
  const keys = ["show", "due", "sort", "q"] as const;
  const changed = keys.filter((key) => view[key] !== DEFAULT_VIEW[key]);
  const search = new URLSearchParams(changed.map((key) => [key, view[key]]));
  return changed.length === 0 ? "" : `?${search}`;
}

/** The list's parameters. `now` is rounded up to a minute: each second would be another list. */
export function toListOf({ show, due, sort, q }: ReviewView, now: number) {
  const minute = Math.ceil(now / 60_000) * 60_000;
  const dueBy = due === "overdue" ? minute : minute + DAY_MS;
  return {
    filter: {
      status: show === "decided" ? "decided" : "open",
      ...(show === "mine" ? { mine: true } : {}),
      ...(due === "any" ? {} : { dueAt_lte: new Date(dueBy).toISOString() }),
      ...(q === "" ? {} : { q }),
    },
    sort:
      show === "decided"
        ? { field: "decidedAt", order: "DESC" as const }
        : // Without a deadline comes last.
          { field: sort === "due" ? "dueAt" : "id", order: "ASC" as const },
  };
}
