/** The filters that are folded away. */
export const MORE_FILTERS = [
  "createdAt_gte",
  "createdAt_lt",
  "durationMs_gte",
  "costMicros_gte",
  "input",
  "caller",
] as const;

const two = (value: number): string => String(value).padStart(2, "0");

/** `2026-03-02` of an instant, in the time zone of the reader; `last`: the day that ends with it. */
export function toDay(instant: string, last = false): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return "";
  if (last) date.setDate(date.getDate() - 1);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The instant at which a day begins there. */
export function startOfDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}

/** The instant at which the next one begins. Days are not always 24 hours long. */
export function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + 1);
  return date.toISOString();
}
