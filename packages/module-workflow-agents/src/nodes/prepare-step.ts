import { namesTool } from "@oven/module-agent-core";
import type { NodeContext } from "@oven/module-registry";
import { z } from "zod";

export const ToolChoiceSchema = z.union([z.enum(["auto", "none", "required"]), z.strictObject({ tool: z.string() })]);

const StepRuleSchema = z.strictObject({
  from: z.int().positive().optional().describe("First answer of the loop it holds for; 1 is the first"),
  to: z.int().positive().optional().describe("Last answer it holds for"),
  afterTool: z.string().min(1).optional().describe("Only right after this tool (or pattern) was called"),
  model: z.string().min(1).optional(),
  tools: z.array(z.string().min(1)).optional().describe("Of the tools offered, only these"),
  toolChoice: ToolChoiceSchema.optional(),
});

/** What is different in single steps of a tool loop; where several rules hold, later ones win. */
export const PrepareStepSchema = z.array(StepRuleSchema).max(100);

export interface StepSettings {
  model?: string;
  /** Absent: all that is offered. */
  tools?: string[];
  toolChoice?: z.output<typeof ToolChoiceSchema>;
}

interface Stepping {
  input: { prepareStep?: z.output<typeof PrepareStepSchema> | undefined; step?: number | undefined };
  read: NodeContext["read"];
}

/** What the rules say of this step. Model and executor of one step ask the same, so they get the same. */
export function stepSettings({ input: { prepareStep = [], step = 1 }, read }: Stepping): StepSettings {
  const settings: StepSettings = {};
  const called = step > 1 ? lastCalled(read("$.toolResults")) : [];
  for (const { from = 1, to = Number.POSITIVE_INFINITY, afterTool, ...rule } of prepareStep) {
    if (step < from || step > to) continue;
    if (afterTool !== undefined && !called.some((tool) => namesTool([afterTool], tool))) continue;
    if (rule.model !== undefined) settings.model = rule.model;
    if (rule.tools !== undefined) settings.tools = rule.tools;
    if (rule.toolChoice !== undefined) settings.toolChoice = rule.toolChoice;
  }
  return settings;
}

const ResultsSchema = z.array(z.looseObject({ tool: z.string() }));

function lastCalled(results: unknown): string[] {
  const parsed = ResultsSchema.safeParse(results);
  return parsed.success ? parsed.data.map(({ tool }) => tool) : [];
}
