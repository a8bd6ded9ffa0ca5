import { type GraphPolicy, type GraphPolicyRule, GraphPolicyRuleSchema } from "@oven/contract/workflow";
import { expect, it } from "vitest";
import { NEW_POLICY, toBody, toDraft, toRule } from "./policy-draft.ts";
import { toSentence } from "./policy-words.ts";

const RULES: GraphPolicyRule[] = [
  {
    kind: "review-before",
    target: { tools: ["orders.refund"], tags: ["money"], effects: ["at-most-once"] },
    role: "finance",
  },
  { kind: "review-before", target: { nodeTypes: ["core.http"] } },
  { kind: "untrusted-flow" },
  { kind: "untrusted-flow", sinks: { tags: ["outbound"] }, role: "lead" },
  { kind: "bounded-loops" },
  { kind: "bounded-loops", maxIterations: 20 },
  { kind: "allowed-models", models: ["fast", "openai:*"] },
  { kind: "forbidden-nodes", nodeTypes: ["core.code"] },
  { kind: "scores", name: "outcome", samples: 20, days: 14 },
  { kind: "scores", name: "thumbs", samples: 5, days: 30, atLeast: 0.7 },
  { kind: "past-runs", runs: 50, status: "all", minSame: 0.95, noNewToolCalls: true },
  {
    ...{ kind: "past-runs", workflow: { kind: "agent-workflow", id: 7 }, dataset: "orders", runs: 20 },
    ...{ status: "failed", everyDifferenceSeen: true, live: { maxCostMicros: 500_000, maxCalls: 20 } },
  },
];
const policy = (rule: GraphPolicyRule): GraphPolicy => ({
  ...{ id: 1, tenantId: 1, name: "Mine", description: null, severity: "error", enabled: true, rule, createdBy: 1 },
  ...{ createdAt: "", updatedAt: "" },
});

it.each(RULES)("is the same rule after its form: $kind", (rule) => {
  const made = toRule(toDraft(policy(rule)));
  expect(made).toEqual(rule);
  expect(GraphPolicyRuleSchema.safeParse(made).success).toBe(true);
});

it("is no rule while something is missing", () => {
  expect(toRule(NEW_POLICY)).toBeNull();
  const named = { ...NEW_POLICY, target: [{ by: "tools" as const, names: ["orders.*"] }] };
  expect(toRule(named)).toEqual({ kind: "review-before", target: { tools: ["orders.*"] } });
  expect(toRule({ ...named, target: [...named.target, { by: "tags", names: [] }] })).toBeNull();
  expect(toBody(named)).toBeNull();
  expect(toBody({ ...named, name: " Refunds " })).toMatchObject({ name: "Refunds", description: null });
  for (const limit of ["0", "1.5", "many", "10001"])
    expect(toRule({ ...NEW_POLICY, kind: "bounded-loops", limit })).toBeNull();
  for (const wrong of [{ name: "Two words" }, { samples: "0" }, { days: "" }, { atLeast: "2" }])
    expect(toRule({ ...NEW_POLICY, kind: "scores", scores: { ...NEW_POLICY.scores, ...wrong } })).toBeNull();
});

it("is no rule about past runs that demands nothing, or counts what cannot be counted", () => {
  const { pastRuns } = NEW_POLICY;
  const nothing = { ...pastRuns, minSame: "", noNewToolCalls: false };
  for (const wrong of [
    nothing,
    { ...pastRuns, runs: "0" },
    { ...pastRuns, runs: "201" },
    { ...pastRuns, minSame: "101" },
    { ...pastRuns, live: "0" },
  ])
    expect(toRule({ ...NEW_POLICY, kind: "past-runs", pastRuns: wrong })).toBeNull();
});

it("joins two parts that name by the same thing", () => {
  const target = [
    { by: "tags" as const, names: ["money"] },
    { by: "tags" as const, names: ["money", "outbound"] },
  ];
  expect(toRule({ ...NEW_POLICY, target })).toEqual({
    kind: "review-before",
    target: { tags: ["money", "outbound"] },
  });
});

it("reads as a sentence", () => {
  expect(RULES.map((rule) => toSentence(rule, (name) => (name === "finance" ? "Finance" : name)))).toEqual([
    "Before a run reaches the tool orders.refund, what is tagged money or what acts once, a person with the role Finance must approve.",
    "Before a run reaches a step of the type core.http, a person must approve.",
    "What models and outside services answer reaches anything that sends or acts only once a person has approved it.",
    "What models and outside services answer reaches what is tagged outbound only once a person with the role lead has approved it.",
    "Every loop and every cycle ends by itself.",
    "Every loop and every cycle ends by itself, a loop after at most 20 passes.",
    "Steps use only these models: fast, openai:*.",
    "No workflow has a step of the type core.code.",
    "A new version is published once the live one has 20 scores “outcome” of the last 14 days.",
    "A new version is published once the live one has 5 scores “thumbs” of the last 30 days with a mean of at least 0.7.",
    "Before a version of any workflow is published, its last 50 runs are tried on it: at least 95 % of them come out the same, none makes a tool call that was not there.",
    "Before a version of workflow 7 is published, its last 20 failed runs that asked what the dataset orders asks are tried on it: a person has looked at every difference, models are asked anew for at most $0.500.",
  ]);
});
