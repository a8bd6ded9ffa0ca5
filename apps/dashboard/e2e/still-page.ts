import type { Page } from "playwright-core";

/** The day that every picture was taken on. */
const NOON = Date.parse("2026-03-10T12:00:00.000Z");
const DAY_MS = 86_400_000;
const INSTANT = /"(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?Z"/g;
const DATE = /"(\d{4}-\d\d-\d\d)"/g;
/** What is another at each start, and what stands there instead. */
const VOLATILE: readonly [RegExp, string][] = [
  [/"(durationMs|latencyMs|medianMs|p50Ms|p95Ms|averageMs)":[\d.]+/g, '"$1":120'],
  [/"pid":\d+/g, '"pid":4242'],
  [/"host":"[^"]*"/g, '"host":"oven"'],
  [/"memory":\d+/g, '"memory":200000000'],
  [/"nodeVersion":"[^"]*"/g, '"nodeVersion":"24"'],
  [/"(ip|ipAddress)":"[^"]*"/g, '"$1":"127.0.0.1"'],
  [/"start":"[^"]*"/g, '"start":"oven_"'],
  [/http:\/\/localhost:\d+/g, "http://localhost:3000"],
];

/** Shows a page as it is on one day: its clock stands, and what the server says of time is moved there. */
export async function still(page: Page): Promise<void> {
  await page.clock.setFixedTime(NOON);
  await page.route("**/api/**", async (route) => {
    const request = route.request();
    // Streams never end, and nothing in them is waited for.
    if (request.headers().accept?.includes("event-stream") || request.method() !== "GET") return route.continue();
    // The server ends connections that are idle.
    const response = await route.fetch({ maxRetries: 2 });
    if (!response.headers()["content-type"]?.includes("json")) return route.fulfill({ response });
    return route.fulfill({ response, body: toStill(await response.text()) });
  });
}

/** The same answer on the day of the pictures: days keep their distance from today, times of day go. */
export function toStill(body: string, today = Date.now()): string {
  const midnight = Math.floor(today / DAY_MS) * DAY_MS;
  const shift = (day: string): number => NOON + Date.parse(`${day}T00:00:00Z`) - midnight;
  let text = body
    .replace(INSTANT, (_, day: string) => `"${new Date(shift(day) - 300_000).toISOString()}"`)
    .replace(DATE, (_, day: string) => `"${new Date(shift(day)).toISOString().slice(0, 10)}"`);
  for (const [pattern, instead] of VOLATILE) text = text.replace(pattern, instead);
  return text;
}
