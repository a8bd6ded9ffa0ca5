import { settingNames } from "@oven/installation/environment";
import type { EnvironmentVariable } from "@oven/module-registry";
import { type Finding, ofInstallation } from "./finding.ts";

/** Read where they are needed, and not declared: for each tenant one, the format of the log, and the commands' own. */
const UNDECLARED = /^OVEN_(LOG_FORMAT|API_KEY|(SQL|NEO4J)_URL(_\d+)?|TEST_.+)$/;

export interface Settings {
  publicUrl: string;
  trustedProxies: readonly string[];
}

/** Settings that nothing reads, and one that is missing behind a proxy. */
export function findSettings(
  variables: Readonly<Record<string, string | undefined>>,
  declared: readonly EnvironmentVariable[],
  { publicUrl, trustedProxies }: Settings,
): Finding[] {
  const known = [...settingNames(), ...declared.map(({ name }) => name)];
  const unknown = Object.keys(variables)
    .filter((name) => name.startsWith("OVEN_") && !known.includes(name) && !UNDECLARED.test(name))
    .toSorted();
  const findings = unknown.map((name) => {
    const meant = known.find((one) => isNear(one, name));
    const fix = meant === undefined ? "Unset it; README lists the settings." : `Write ${meant}, or unset it.`;
    return ofInstallation("setting", name, "it is set, and nothing reads it", fix);
  });
  // OVEN itself serves http only.
  if (publicUrl.startsWith("https://") && trustedProxies.length === 0)
    findings.push(
      ofInstallation(
        "setting",
        "OVEN_TRUSTED_PROXIES",
        "people come by https, so through a proxy, and none is trusted: every client has the proxy's address, and limits for sign-in count all together",
        "Set it to the addresses of the proxies.",
      ),
    );
  return findings;
}

/** Whether one becomes the other when a character is put in, taken out or replaced, or two more are. */
function isNear(one: string, other: string): boolean {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const same = one[at - 1] === other[to - 1] ? 0 : 1;
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + same));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) <= 2;
}
