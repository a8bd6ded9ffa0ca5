import type { TokenUsage } from "@oven/contract/node";
import { currentLocale, t } from "@oven/i18n";

const NUMBER = new Intl.NumberFormat(currentLocale());

/** `15 ms`, `1.2 s`, `3m 12s`, `2h 5m`, `3d 4h`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m ${whole % 60}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}h ${minutes % 60}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** `2,110 tok`; nothing was used: `–`. */
export function formatTokens(usage: TokenUsage | null): string {
  return usage === null || usage.total === 0 ? "–" : `${NUMBER.format(usage.total)} tok`;
}

/** From 10⁻⁶ USD. Three decimals below a dollar, two above; what is not nothing is never shown as nothing. */
export function formatMoney(costMicros: number): string {
  if (costMicros === 0) return "$0";
  const dollars = costMicros / 1_000_000;
  if (dollars < 0.001) return "<$0.001";
  return `$${dollars < 1 ? dollars.toFixed(3) : NUMBER.format(Number(dollars.toFixed(2)))}`;
}

const STEPS: [limitSeconds: number, unitSeconds: number, unit: string][] = [
  [60, 1, "s"],
  [3_600, 60, "m"],
  [86_400, 3_600, "h"],
  [30 * 86_400, 86_400, "d"],
];

/** `just now`, `5m ago`, `in 2h`; older than a month: the date. */
export function formatRelative(iso: string, now: number): string {
  const time = Date.parse(iso);
  const seconds = Math.round((time - now) / 1_000);
  const distance = Math.abs(seconds);
  if (distance < 5) return t("just now");
  for (const [limit, unit, name] of STEPS) {
    if (distance >= limit) continue;
    const text = `${Math.floor(distance / unit)}${name}`;
    return seconds < 0 ? t("{{text}} ago", { text }) : t("in {{text}}", { text });
  }
  return new Date(time).toLocaleDateString(currentLocale(), { year: "numeric", month: "short", day: "numeric" });
}

/** The time of a day that is today, else the date with it. */
export function formatClock(iso: string): string {
  const time = new Date(iso);
  const isToday = time.toDateString() === new Date().toDateString();
  return time.toLocaleString(currentLocale(), { timeStyle: "short", ...(isToday ? {} : { dateStyle: "medium" }) });
}

/**
 * Date and time in the reader's language and zone.
 * @param iso ISO 8601
 */
export function formatExact(iso: string): string {
  return new Date(iso).toLocaleString(currentLocale(), { dateStyle: "medium", timeStyle: "medium" });
}

/** How long a run took, or has taken so far. */
export function toElapsed(run: { startedAt: string | null; completedAt: string | null }, now: number): number | null {
  if (run.startedAt === null) return null;
  const end = run.completedAt === null ? now : Date.parse(run.completedAt);
  return Math.max(0, end - Date.parse(run.startedAt));
}

/** `512 B`, `12.3 kB`, `4.0 MB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1_000).toFixed(1)} kB`;
  if (bytes < 999_950_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** `3f9a61c2…` for digests and keys; short ones stay whole. */
export function shortenId(id: string, length = 8): string {
  return id.length <= length + 2 ? id : `${id.slice(0, length)}…`;
}
