import { z } from "zod";
import { runPnpm } from "./run-pnpm.ts";

const ReportSchema = z.object({
  advisories: z.record(
    z.string(),
    z.object({
      title: z.string(),
      module_name: z.string(),
      severity: z.string(),
      url: z.string(),
      github_advisory_id: z.string().nullish(),
      findings: z.array(z.object({ version: z.string() })),
    }),
  ),
});

/** An advisory that does not stop a release, why, and until when that holds (a date, UTC). */
export interface AuditException {
  advisory: string;
  why: string;
  until: string;
}

/** Each one is explained in docs/security.md. */
export const AUDIT_EXCEPTIONS: AuditException[] = [];

/** Below this an advisory is shown, and stops nothing. */
const STOPS = new Set(["moderate", "high", "critical"]);

export interface AuditAnswer {
  /** What must be mended first. */
  stops: string[];
  /** What was let pass, and why. */
  passes: string[];
}

/** What the registry says about every installed version. */
export type AuditReport = z.infer<typeof ReportSchema>;

/** Asks the registry, and says what its report comes to. @throws Error as `askRegistry` does */
export async function audit(exceptions: AuditException[], now: Date): Promise<AuditAnswer> {
  return judgeReport(await askRegistry(), exceptions, now);
}

/**
 * Asks the registry about every installed version.
 * @param registry another one than pnpm's
 * @throws Error when it does not answer: an audit that was not made has not passed
 */
export async function askRegistry(registry?: string): Promise<AuditReport> {
  const from = registry === undefined ? [] : ["--registry", registry];
  const { stdout, stderr } = await runPnpm("audit", "--json", ...from);
  return readReport(stdout, stderr);
}

function readReport(stdout: string, stderr: string): AuditReport {
  try {
    return ReportSchema.parse(JSON.parse(stdout));
  } catch (cause) {
    throw new Error(`the registry gave no audit: ${`${stdout}${stderr}`.trim().slice(0, 500)}`, { cause });
  }
}

/** What a report comes to: what stops a release, and what is let pass because it is of low severity or has an exception. */
export function judgeReport({ advisories }: AuditReport, exceptions: AuditException[], now: Date): AuditAnswer {
  const answer: AuditAnswer = { stops: [], passes: [] };
  for (const advisory of Object.values(advisories)) {
    const id = advisory.github_advisory_id ?? advisory.url.split("/").at(-1) ?? advisory.url;
    const versions = advisory.findings.map(({ version }) => version).join(", ");
    const line = `${advisory.severity}: ${advisory.module_name}@${versions}: ${advisory.title} (${advisory.url})`;
    const known = exceptions.find((exception) => exception.advisory === id);
    const isExpired = known !== undefined && now >= new Date(known.until);
    if (!STOPS.has(advisory.severity)) answer.passes.push(line);
    else if (known === undefined) answer.stops.push(line);
    else if (isExpired) answer.stops.push(`${line}; its exception ended on ${known.until}`);
    else answer.passes.push(`${line}; until ${known.until}: ${known.why}`);
  }
  return answer;
}
