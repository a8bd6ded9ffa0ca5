/** Pages of a warning that are named. */
const MOST_NAMED = 100;

/** The first pages of a list by their numbers, and how many there are. */
export function namePages(pages: readonly number[]): { pages: number[]; count: number } {
  return { pages: pages.slice(0, MOST_NAMED), count: pages.length };
}
