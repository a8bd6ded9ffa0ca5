import type { Effect } from "@oven/contract/node";
import { MAX_REHEARSED } from "@oven/contract/run";
import {
  type CreateGraphPolicy,
  type GraphPolicy,
  type GraphPolicyRule,
  GraphPolicyRuleSchema,
  type PastRunsRule,
  type PolicyTarget,
} from "@oven/contract/workflow";

/** By what a target names nodes and tools. */
export type TargetBy = keyof PolicyTarget;
export type RuleKind = GraphPolicyRule["kind"];

export interface TargetPart {
  by: TargetBy;
  names: string[];
}

/** A policy as its form holds it: every field is there, whichever kind of rule is chosen. */
export interface PolicyDraft {
  name: string;
  description: string;
  severity: GraphPolicy["severity"];
  enabled: boolean;
  kind: RuleKind;
  /** What must not be reached. Of `untrusted-flow` empty: all that sends. */
  target: TargetPart[];
  /** Empty: any person who decides the review. */
  role: string;
  /** Empty: a loop may have as many passes as it says. */
  limit: string;
  models: string[];
  nodeTypes: string[];
  /** Of the live version's scores: the name, how many, of how many days, and the lowest mean as it is typed; empty: any. */
  scores: { name: string; samples: string; days: string; atLeast: string };
  /** What a run may need at most, as it is typed; empty: any amount. */
  most: Record<MostKey, string>;
  pastRuns: PastRunsDraft;
}

/** What past runs must come to, as it is typed. */
export interface PastRunsDraft {
  /** Of which workflow, and of which dataset of it. */
  given: Pick<PastRunsRule, "workflow" | "dataset">;
  /** What may be spent on asking models, in dollars; empty: none is asked. */
  live: string;
  /** How many calls of models are made at most. */
  liveCalls: number;
  runs: string;
  status: PastRunsRule["status"];
  /** In percent; empty: any share. */
  minSame: string;
  noNewToolCalls: boolean;
  everyDifferenceSeen: boolean;
}

/** How many of a bound's unit one typed unit is: money is typed in dollars, time in minutes. */
export const MOST_UNITS = {
  maxCostMicros: 1_000_000,
  maxModelCalls: 1,
  maxTokens: 1,
  maxToolCalls: 1,
  maxReviews: 1,
  maxDurationMs: 60_000,
} as const;
export type MostKey = keyof typeof MOST_UNITS;
const MOST_KEYS = Object.keys(MOST_UNITS) as MostKey[]; // cast: its own keys
const NOTHING_BOUND: PolicyDraft["most"] = {
  ...{ maxCostMicros: "", maxModelCalls: "", maxTokens: "", maxToolCalls: "", maxReviews: "", maxDurationMs: "" },
};

export const NEW_POLICY: PolicyDraft = {
  name: "",
  description: "",
  severity: "error",
  enabled: true,
  kind: "review-before",
  target: [{ by: "tools", names: [] }],
  role: "",
  limit: "",
  models: [],
  nodeTypes: [],
  scores: { name: "thumbs", samples: "10", days: "30", atLeast: "" },
  most: NOTHING_BOUND,
  pastRuns: {
    given: {},
    live: "",
    liveCalls: 100,
    runs: "50",
    status: "all",
    minSame: "95",
    noNewToolCalls: true,
    everyDifferenceSeen: false,
  },
};

/** More than a rule may spend on asking models. */
const MOST_LIVE_MICROS = 1_000_000_000;
/** More than a loop can have. */
const MOST_PASSES = 10_000;

export function toDraft({ name, description, severity, enabled, rule }: GraphPolicy): PolicyDraft {
  const same = { name, description: description ?? "", severity, enabled, kind: rule.kind };
  const draft: PolicyDraft = { ...NEW_POLICY, ...same };
  switch (rule.kind) {
    case "review-before":
      return { ...draft, target: toParts(rule.target), role: rule.role ?? "" };
    case "untrusted-flow":
      return { ...draft, target: rule.sinks === undefined ? [] : toParts(rule.sinks), role: rule.role ?? "" };
    case "bounded-loops":
      return { ...draft, limit: rule.maxIterations === undefined ? "" : String(rule.maxIterations) };
    case "allowed-models":
      return { ...draft, models: rule.models };
    case "forbidden-nodes":
      return { ...draft, nodeTypes: rule.nodeTypes };
    case "scores": {
      const { name: scored, samples, days, atLeast } = rule;
      const scores = { name: scored, samples: String(samples), days: String(days) };
      return { ...draft, scores: { ...scores, atLeast: atLeast === undefined ? "" : String(atLeast) } };
    }
    case "worst-case": {
      const most = { ...NOTHING_BOUND };
      for (const key of MOST_KEYS) {
        const bound = rule[key];
        if (bound !== undefined) most[key] = String(bound / MOST_UNITS[key]);
      }
      return { ...draft, most };
    }
    case "past-runs": {
      const { workflow, dataset, live, runs, status, minSame, noNewToolCalls, everyDifferenceSeen } = rule;
      const dollars = live === undefined ? "" : String(live.maxCostMicros / MOST_UNITS.maxCostMicros);
      const spending = { live: dollars, liveCalls: live?.maxCalls ?? NEW_POLICY.pastRuns.liveCalls };
      const given = { ...(workflow && { workflow }), ...(dataset !== undefined && { dataset }) };
      const typed = { runs: String(runs), minSame: minSame === undefined ? "" : String(toPercent(minSame)) };
      const asked = { noNewToolCalls: noNewToolCalls === true, everyDifferenceSeen: everyDifferenceSeen === true };
      return { ...draft, pastRuns: { given, status, ...spending, ...typed, ...asked } };
    }
  }
}

/** The parts of a target, in the order in which they are read. Each effect is a part of its own. */
export function toParts({ effects = [], ...named }: PolicyTarget): TargetPart[] {
  const parts = (["tools", "nodeTypes", "tags"] as const).flatMap((by) => {
    const names = named[by];
    return names === undefined ? [] : [{ by, names: [...names] }];
  });
  return [...parts, ...effects.map((effect): TargetPart => ({ by: "effects", names: [effect] }))];
}

/** Null: something is missing yet. */
export function toRule(draft: PolicyDraft): GraphPolicyRule | null {
  const { kind, target, role, limit, models, nodeTypes } = draft;
  const byRole = role === "" ? {} : { role };
  const named = toTarget(target);
  switch (kind) {
    case "review-before":
      return named === null ? null : { kind, target: named, ...byRole };
    case "untrusted-flow":
      if (target.length === 0) return { kind, ...byRole };
      return named === null ? null : { kind, sinks: named, ...byRole };
    case "bounded-loops": {
      if (limit.trim() === "") return { kind };
      const maxIterations = Number(limit);
      const isLimit = Number.isInteger(maxIterations) && maxIterations > 0 && maxIterations <= MOST_PASSES;
      return isLimit ? { kind, maxIterations } : null;
    }
    case "allowed-models":
      return models.length === 0 ? null : { kind, models };
    case "forbidden-nodes":
      return nodeTypes.length === 0 ? null : { kind, nodeTypes };
    case "scores": {
      const { name, samples, days, atLeast } = draft.scores;
      const parsed = GraphPolicyRuleSchema.safeParse({
        ...{ kind, name: name.trim(), samples: Number(samples), days: Number(days) },
        ...(atLeast.trim() === "" ? {} : { atLeast: Number(atLeast) }),
      });
      return parsed.success ? parsed.data : null;
    }
    case "worst-case": {
      const typed = MOST_KEYS.filter((key) => draft.most[key].trim() !== "");
      const bounds = typed.map((key) => [key, Math.round(Number(draft.most[key]) * MOST_UNITS[key])] as const);
      if (bounds.length === 0 || bounds.some(([, bound]) => !Number.isSafeInteger(bound) || bound < 0)) return null;
      return { kind, ...Object.fromEntries(bounds) };
    }
    case "past-runs":
      return toPastRunsRule(draft.pastRuns);
  }
}

function toPastRunsRule({ given, status, ...typed }: PastRunsDraft): GraphPolicyRule | null {
  const runs = Number(typed.runs);
  const share = Number(typed.minSame);
  const hasShare = typed.minSame.trim() !== "";
  const isLive = typed.live.trim() !== "";
  const maxCostMicros = Math.round(Number(typed.live) * MOST_UNITS.maxCostMicros);
  if (isLive && !(maxCostMicros >= 1 && maxCostMicros <= MOST_LIVE_MICROS)) return null;
  if (!Number.isInteger(runs) || runs < 1 || runs > MAX_REHEARSED) return null;
  if (hasShare && !(share >= 0 && share <= 100)) return null;
  const { noNewToolCalls, everyDifferenceSeen } = typed;
  if (!hasShare && !noNewToolCalls && !everyDifferenceSeen) return null;
  return {
    ...{ kind: "past-runs", ...given, runs, status },
    ...(hasShare && { minSame: share / 100 }),
    ...(noNewToolCalls && { noNewToolCalls }),
    ...(isLive && { live: { maxCostMicros, maxCalls: typed.liveCalls } }),
    ...(everyDifferenceSeen && { everyDifferenceSeen }),
  };
}

/** From 0 to 1, without the dust of floating point. */
export function toPercent(share: number): number {
  return Number((share * 100).toFixed(4));
}

function toTarget(parts: readonly TargetPart[]): PolicyTarget | null {
  if (parts.length === 0 || parts.some(({ names }) => names.length === 0)) return null;
  const of = (by: TargetBy) => [...new Set(parts.filter((part) => part.by === by).flatMap(({ names }) => names))];
  const [tools, nodeTypes, tags, effects] = [of("tools"), of("nodeTypes"), of("tags"), of("effects")];
  return {
    ...(tools.length === 0 ? {} : { tools }),
    ...(nodeTypes.length === 0 ? {} : { nodeTypes }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(effects.length === 0 ? {} : { effects: effects as Effect[] }), // cast: that field has a choice of effects only
  };
}

/** Null: something is missing yet. */
export function toBody(draft: PolicyDraft): CreateGraphPolicy | null {
  const rule = toRule(draft);
  const name = draft.name.trim();
  if (rule === null || name === "") return null;
  const description = draft.description.trim() === "" ? null : draft.description;
  return { name, description, severity: draft.severity, enabled: draft.enabled, rule };
}
