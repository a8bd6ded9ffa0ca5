const DAY_MS = 86_400_000;

/** One value for each of the last days (UTC), oldest first; days without a run are there too. */
export function toDaySeries(
  stats: readonly { key: string | null }[],
  days: number,
  now: number,
): { day: string; at: number }[] {
  const index = new Map(stats.map(({ key }, at) => [key, at]));
  return Array.from({ length: days }, (_, back) => {
    const day = new Date(now - (days - 1 - back) * DAY_MS).toISOString().slice(0, 10);
    return { day, at: index.get(day) ?? -1 };
  });
}
