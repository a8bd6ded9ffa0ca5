import type { Examiner } from "./examiner.ts";
import type { Finding } from "./finding.ts";
import type { PublishedWorkflow } from "./read-published.ts";

/** Workflows that a policy about reviews refuses to start as they are. */
export async function findPolicies(examiner: Examiner, workflows: readonly PublishedWorkflow[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const workflow of workflows) {
    const [first, ...others] = await examiner.violations(workflow);
    if (first === undefined) continue;
    const { kind, id, name, tenantId, version } = workflow;
    const more = others.length === 0 ? "" : `, and ${others.length} more`;
    findings.push({
      ...{ group: "policies", tenantId, kind, id, name },
      problem: `version ${version} may not run. ${first.message}${more}`,
      fix: first.fix ?? "Change the workflow, or the policy.",
    });
  }
  return findings;
}
