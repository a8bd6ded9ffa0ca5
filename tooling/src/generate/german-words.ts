/** The catalogue with more sentences. What it has already stays as it is. */
export function withGerman(catalogue: string, more: Record<string, string>): string {
  const known: Record<string, string> = JSON.parse(catalogue);
  const entries = Object.entries({ ...more, ...known });
  const sorted = entries.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}
