import { nextInstant, type Schedule } from "./next-instants.ts";

export interface MisfirePolicy {
  /** What happens with instants that passed while nobody looked. */
  misfire: "skip" | "once" | "all";
  /** Of `all`: the latest so many. */
  misfireLimit: number;
}

/** So late an instant is still on time. */
const ON_TIME_MS = 60_000;

/**
 * Which of the instants from `dueAt` to `now` start a run, and the first one after `now`. On time is what is at most a
 * minute late: `skip` drops the rest, `once` starts one run for the latest, `all` one for each of the latest so many.
 */
export function dueInstants(
  schedule: Schedule,
  { misfire, misfireLimit }: MisfirePolicy,
  dueAt: Date,
  now: Date,
): { instants: Date[]; next: Date | null } {
  const kept = misfire === "once" ? 1 : misfire === "all" ? misfireLimit : Number.POSITIVE_INFINITY;
  const instants: Date[] = [];
  let at: Date | null = dueAt;
  while (at !== null && at <= now) {
    if (misfire !== "skip" || now.getTime() - at.getTime() <= ON_TIME_MS) instants.push(at);
    if (instants.length > kept) instants.shift();
    at = nextInstant(schedule, at);
  }
  return { instants, next: at };
}
