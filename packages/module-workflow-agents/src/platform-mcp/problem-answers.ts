import type { Problem } from "@oven/contract";
import { GuideTopicSchema, topicOfProblem } from "@oven/contract/workflow";
import { z } from "zod";

/** What a definition's problems are called in answers to builders. */
export const problemOutput = {
  valid: z.boolean().describe("It can be published: there are no errors"),
  problems: z.array(
    z.strictObject({
      severity: z.enum(["error", "warning"]),
      path: z.string(),
      rule: z.string(),
      message: z.string(),
      fix: z.string(),
      guide: GuideTopicSchema.optional().describe("The topic of definition_guide that explains it"),
    }),
  ),
  further_problems: z.int().optional().describe("How many more there are"),
};

const MOST = 20;

/** Errors first; more than can be worked on at once are counted only. */
export function toProblemAnswer(problems: readonly Problem[]): z.input<z.ZodObject<typeof problemOutput>> {
  const isError = ({ severity }: Problem) => severity === "error";
  const sorted = problems.toSorted((one, other) => Number(isError(other)) - Number(isError(one)));
  return {
    valid: !problems.some(isError),
    problems: sorted.slice(0, MOST).map(({ severity, path, rule, message, fix }) => {
      const guide = topicOfProblem({ rule, path });
      return { severity, path, rule, message, fix, ...(guide === undefined ? {} : { guide }) };
    }),
    ...(sorted.length > MOST ? { further_problems: sorted.length - MOST } : {}),
  };
}
