import { z } from "zod";

/** The topics of the guide to definitions, in the order in which one reads them. */
export const GUIDE_TOPICS = [
  "overview",
  "examples",
  "format",
  "states",
  "expressions",
  "guards",
  "loops",
  "waiting",
  "reviews",
  "triggers",
  "tests",
  "evals",
  "cel",
  "limits",
] as const;
/** A topic of the guide to definitions. */
export const GuideTopicSchema = z.enum(GUIDE_TOPICS);
export type GuideTopic = z.infer<typeof GuideTopicSchema>;

/** By the rule of a problem: the topic of the guide that explains it. What is not here is about a node's own input. */
const RULES: Readonly<Partial<Record<GuideTopic, readonly string[]>>> = {
  format: ["shape", "unknown-key", "json-schema", "payload-schema", "output-schema", "output-name", "schema-readers"],
  states: [
    ...[
      "states",
      "structure",
      "initial",
      "state-id",
      "duplicate-id",
      "reserved",
      "shadows-state",
      "disabled",
      "target",
    ],
    ...["no-target", "no-default", "dead-end", "unreachable", "unreachable-branch", "endless", "spin", "compile"],
    ...["always-with-invoke", "always-with-loop", "sibling-region", "assign", "retry", "timeout"],
  ],
  loops: ["loop", "loop-border"],
  expressions: ["unknown-path", "unknown-field", "may-be-missing", "never-there", "path", "template", "literal"],
  guards: ["guard", "pointless-comparison"],
  cel: ["cel"],
  waiting: ["event", "duration"],
  reviews: ["unknown-assignee"],
  limits: ["ceiling"],
};
const TOPIC_OF_RULE: ReadonlyMap<string, GuideTopic> = new Map(
  GUIDE_TOPICS.flatMap((topic) => (RULES[topic] ?? []).map((rule): [string, GuideTopic] => [rule, topic])),
);

/** The topic that explains a problem, by its rule and place; undefined: the description of the step's node type does. */
export function topicOfProblem({ rule, path }: { rule: string; path: string }): GuideTopic | undefined {
  const topic = TOPIC_OF_RULE.get(rule);
  return topic === "states" && /\.loop(\.|$)/.test(path) ? "loops" : topic;
}
