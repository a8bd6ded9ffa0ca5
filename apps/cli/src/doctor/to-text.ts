import { type Diagnosis, GROUPS, type Group } from "./finding.ts";

/** Sentences by group, what to do below each, and the counts as the last line. */
export function toText({ findings, notes, examined }: Diagnosis): string {
  const lines: string[] = [];
  const counts: string[] = [];
  for (const [group, { title, one, many }] of Object.entries(GROUPS)) {
    const found = findings.filter((finding) => finding.group === (group as Group)); // cast: the keys of GROUPS
    if (found.length === 0) continue;
    counts.push(`${found.length} ${found.length === 1 ? one : many}`);
    lines.push(`${title}.`, "");
    const tenants = new Set(findings.filter(({ id }) => id !== null).map(({ tenantId }) => tenantId));
    for (const { kind, id, name, tenantId, problem, fix } of found) {
      const where = tenants.size > 1 && id !== null ? ` of tenant ${tenantId}` : "";
      const number = id === null ? "" : ` (${id})`;
      lines.push(`  ${kind.replace("-", " ")} ${name}${number}${where}: ${problem}.`, `    ${fix}`);
    }
    lines.push("");
  }
  if (notes.length > 0) lines.push("Good to know.", "", ...notes.map((note) => `  ${note}`), "");
  const looked = Object.entries(examined).map(([what, count]) => `${count} ${what}`);
  lines.push(
    `${counts.length === 0 ? "Nothing to do" : `To do: ${counts.join(", ")}`} (examined: ${looked.join(", ")}).`,
  );
  return `${lines.join("\n")}\n`;
}
