import type { GrantReport } from "@oven/contract/access";
import type { Examiner } from "./examiner.ts";
import type { Finding } from "./finding.ts";
import type { PublishedWorkflow } from "./read-published.ts";

/** Workflows whose version lacks permissions that their steps need. */
export async function findWorkflows(examiner: Examiner, workflows: readonly PublishedWorkflow[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const workflow of workflows) {
    const { kind, id, name, tenantId, version, granted } = workflow;
    const missing = await examiner.missing(workflow, granted);
    if (missing.length === 0) continue;
    findings.push({
      ...{ group: "workflows", tenantId, kind, id, name },
      problem: `version ${version}, published by ${publisherOf(workflow)}, lacks the permissions of its steps: ${permissionsOf(missing)}`,
      fix: publishedBy(missing),
    });
  }
  return findings;
}

/** `events.read (read and tell), users.read (look)`: permissions and the steps that need them. */
export function permissionsOf(missing: GrantReport["missing"]): string {
  return missing.map(({ permission, steps }) => `${permission} (${listed(steps, "and")})`).join(", ");
}

/** Who can publish a version that has what is missing. */
export function publishedBy(missing: GrantReport["missing"]): string {
  const able = missing.map(({ roles }) => roles).reduce((some, others) => some.filter((role) => others.includes(role)));
  if (able.length === 0) return "No role has all of these permissions: make one that has, or change the steps.";
  return `Let a person with the role ${listed(able, "or")} look at it and publish it again.`;
}

export function publisherOf({ publisherId, publisher }: Pick<PublishedWorkflow, "publisherId" | "publisher">): string {
  return publisherId === null ? "the installation" : (publisher ?? "a user who is gone");
}

/** `a, b or c`. */
export function listed(words: readonly string[], word: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${word} ${words.at(-1)}`;
}
