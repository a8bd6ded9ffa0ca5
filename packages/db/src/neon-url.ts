/** Whether the database is one of Neon's, told by its host. */
export function isNeonUrl(url: string): boolean {
  return URL.canParse(url) && /(^|\.)neon\.tech$/i.test(new URL(url).hostname);
}

/** The same database without Neon's pooler: `ep-a-b-pooler.eu.aws.neon.tech` → `ep-a-b.eu.aws.neon.tech`. */
export function toDirectNeonUrl(url: string): string {
  const direct = new URL(url);
  direct.hostname = direct.hostname.replace(/^([^.]+)-pooler\./i, "$1.");
  return direct.toString();
}
