import { validateDefinition } from "@oven/engine";
import type { Examiner } from "./examiner.ts";
import type { Finding } from "./finding.ts";
import type { PublishedWorkflow } from "./read-published.ts";

/** Published definitions that this version does not take any more: they go on running, and cannot be published as they are. */
export function findDefinitions({ nodes }: Examiner, workflows: readonly PublishedWorkflow[]): Finding[] {
  return workflows.flatMap(({ kind, id, name, tenantId, version, definition }): Finding[] => {
    const { problems } = validateDefinition(definition, nodes);
    const [first, ...others] = problems.filter(({ severity }) => severity === "error");
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : `, and ${others.length} more`;
    return [
      {
        ...{ group: "definitions", tenantId, kind, id, name },
        problem: `version ${version} is refused when it is published again: ${first.path}: ${first.message}${more}`,
        fix: first.fix,
      },
    ];
  });
}
