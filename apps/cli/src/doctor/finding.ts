import { z } from "zod";

/** What is looked for, in the order in which it is shown, with the heading and the word of the last line. */
export const GROUPS = {
  installation: {
    title: "The installation itself",
    one: "thing about the installation",
    many: "things about the installation",
  },
  workflows: {
    title: "Workflows with steps that need more than their version may do: these steps are refused for every starter",
    one: "workflow",
    many: "workflows",
  },
  agents: {
    title: "Agents with tools that need more than their version may do: these tools are not offered to them any more",
    one: "agent",
    many: "agents",
  },
  triggers: {
    title: "Triggers that start nothing, or whose runs are refused at steps or lose a right that they had",
    one: "trigger",
    many: "triggers",
  },
  approvals: {
    title: "Steps that ran unattended and wait for a review of each call from now on",
    one: "workflow with such steps",
    many: "workflows with such steps",
  },
  policies: {
    title: "Workflows that a policy refuses when they start: a deadline that approves counts as a review no longer",
    one: "workflow against a policy",
    many: "workflows against a policy",
  },
  definitions: {
    title:
      "Workflows that this version refuses to publish as they are: their runs go on, and fail where the problem is",
    one: "definition that is refused",
    many: "definitions that are refused",
  },
  keys: {
    title: "API keys for a few workflows that lack permissions of the steps",
    one: "API key",
    many: "API keys",
  },
} as const;

const GroupSchema = z.literal(Object.keys(GROUPS) as (keyof typeof GROUPS)[]); // cast: the keys of a constant
export type Group = z.infer<typeof GroupSchema>;

/** One thing that a person should do before the upgrade. */
const FindingSchema = z.strictObject({
  group: GroupSchema,
  tenantId: z.int(),
  /** What it is about: `agent-workflow`, `workflow`, … */
  kind: z.string(),
  /** Null: it is about the installation itself. */
  id: z.int().nullable(),
  name: z.string(),
  problem: z.string(),
  fix: z.string(),
});
export type Finding = z.infer<typeof FindingSchema>;

/** What `oven doctor --json` prints. */
export const DiagnosisSchema = z.strictObject({
  findings: z.array(FindingSchema),
  /** What is good to know and needs no act by itself. */
  notes: z.array(z.string()),
  /** How many were looked at. */
  examined: z.record(z.string(), z.int()),
});
export type Diagnosis = z.infer<typeof DiagnosisSchema>;

/** A finding that is about no row of a tenant. */
export function ofInstallation(kind: string, name: string, problem: string, fix: string): Finding {
  return { group: "installation", tenantId: 0, kind, id: null, name, problem, fix };
}
