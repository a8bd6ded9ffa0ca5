import type { Examiner } from "./examiner.ts";
import { listed } from "./find-workflows.ts";
import type { Finding } from "./finding.ts";
import type { PublishedWorkflow } from "./read-published.ts";

/** Workflows with steps of operations or MCP tools that need an approval, which steps passed by before. */
export async function findApprovals(examiner: Examiner, workflows: readonly PublishedWorkflow[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const workflow of workflows) {
    const waiting = await examiner.waiting(workflow);
    if (waiting.length === 0) continue;
    const { kind, id, name, tenantId } = workflow;
    const steps = waiting.map(({ step, calls }) => `${step} (${calls})`);
    findings.push({
      ...{ group: "approvals", tenantId, kind, id, name },
      problem: `${steps.length === 1 ? "the step" : "the steps"} ${listed(steps, "and")} will wait in the inbox for a person`,
      fix: "After the upgrade say in the step who decides (`approval` of an operation, `assignees` of mcp.callTool), or hand on the release of a review before it (`approved`); asking for an MCP tool can be switched off at its connection.",
    });
  }
  return findings;
}
