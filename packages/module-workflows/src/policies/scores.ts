import type { GraphPolicyRule } from "@oven/contract/workflow";
import type { Finding } from "./finding.ts";

export type ScoresRule = Extract<GraphPolicyRule, { kind: "scores" }>;

/** What the scores of a workflow's live version come to. */
export interface LiveScores {
  version: number;
  count: number;
  /** Null: there is none. */
  mean: number | null;
}

/** What is missing before another version takes the place of the live one. @param live undefined: there is no live version */
export function findUnscored({ name, samples, days, atLeast }: ScoresRule, live: LiveScores | undefined): Finding[] {
  if (live === undefined) return [];
  const { version, count, mean } = live;
  const of = `version ${version} has ${count} ${count === 1 ? "score" : "scores"} "${name}" of the last ${days} days`;
  if (count < samples)
    return [
      {
        path: "$.states",
        message: `${of}, and ${samples} are demanded before another version is published`,
        fix: "Score runs of the live version, in chats, on their pages, by a judge or over the API.",
      },
    ];
  if (atLeast === undefined || (mean !== null && mean >= atLeast)) return [];
  return [
    {
      path: "$.states",
      message: `${of} with a mean of ${(mean ?? 0).toFixed(2)}, and ${atLeast} is demanded`,
      fix: "Ask who keeps the policies of this tenant, or roll back to a version that did better.",
    },
  ];
}
