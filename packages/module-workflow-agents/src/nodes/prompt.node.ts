import type { JsonPatchOp } from "@oven/contract";
import { checkGiven, defineNode, done } from "@oven/module-registry";
import { z } from "zod";

export const promptNode = defineNode({
  id: "agent.prompt",
  version: 1,
  title: "Prompt",
  synonyms: ["template", "system prompt", "instructions"],
  docs: [
    "Builds prompts from templates and the state of the run: `{{ $.trigger.message }}` is filled in when the step is reached.",
    "",
    "`system` becomes the system prompt of the model steps that follow. `template` is only given on, as `text`.",
  ].join("\n"),
  category: "agent",
  kind: "data",
  effect: "pure",
  reads: ["$.systemPrompt"],
  input: z
    .strictObject({
      system: z.string().min(1).optional().describe("System prompt of the model steps that follow"),
      template: z.string().min(1).optional().describe("Text to hand on as `text`"),
    })
    .refine(...checkGiven((has) => has("system") || has("template"), "give `system`, `template`, or both")),
  output: z.strictObject({ systemPrompt: z.string().nullable(), text: z.string() }),
  async run({ input, read }) {
    const { system, template } = input;
    const earlier = read("$.systemPrompt");
    const patch: JsonPatchOp[] = system === undefined ? [] : [{ op: "add", path: "/systemPrompt", value: system }];
    // Output keys are found by their bare name too, so the prompt that holds is answered even when this step sets none.
    return done(
      { systemPrompt: system ?? (typeof earlier === "string" ? earlier : null), text: template ?? "" },
      { patch },
    );
  },
});
