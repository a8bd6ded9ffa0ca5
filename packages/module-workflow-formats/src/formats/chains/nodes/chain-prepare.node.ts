import { type Json, JsonSchema, OvenError } from "@oven/contract";
import { ChainLoopSchema } from "@oven/contract/formats/chains.ts";
import { isObject } from "@oven/engine";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { toRunUuid } from "../../../shared/source-ids.ts";
import { atPath } from "../at-path.ts";
import { loopOf } from "../chain-limits.ts";
import { injectPrompt, toUserMessage } from "../inject-prompt.ts";
import { asLarge, wholeOf } from "../payloads.ts";
import { compareManifest } from "../tool-manifest.ts";

const ExecutorSchema = z.strictObject({
  executor_id: z.string(),
  system_prompt: z.string(),
  iteration_hint: z.string().nullable(),
  tools: z.array(z.string()),
  loop: ChainLoopSchema.nullable(),
});

export const chainPrepareNode = defineNode({
  id: "chain.prepare",
  version: 1,
  title: "Prepare an executor",
  docs: [
    "Makes the prompts of an executor of a chain: what earlier executors answered is put in as JSON, literally and once.",
    "",
    "Its tools are compared with the chain's manifest first: what is missing or does not fit any more is TOOLS_CHANGED, what is new is a warning.",
    "Of a loop over a list it reads the list. Chains are compiled to it; see the guide on executor chains.",
  ].join("\n"),
  category: "data",
  kind: "data",
  effect: "pure",
  input: z.strictObject({
    place: z.int().nonnegative(),
    executor: ExecutorSchema,
    outputs: z.record(z.string(), JsonSchema).describe("By executor, what earlier ones answered"),
    previous: JsonSchema,
    item: JsonSchema.optional(),
    index: z.int().nonnegative().optional(),
    skip: z.array(z.int()).default([]).describe("Executors that are left out, by place"),
    turn: z.int().positive().default(1),
    own: JsonSchema.optional().describe("What the executor answered in its last turn"),
    run: z.strictObject({ run_id: z.string().nullable(), thread_id: z.string() }).optional(),
    manifest: z.array(z.strictObject({ name: z.string(), args: z.record(z.string(), z.string()) })).default([]),
    workflow: z.string().optional(),
  }),
  output: z.strictObject({
    skipped: z.boolean(),
    system: z.string(),
    prompt: z.string(),
    steps: z.array(z.strictObject({ tools: z.array(z.string()) })),
    /** What the executor was given. */
    received: JsonSchema,
    run: z.strictObject({ run_id: z.string(), user_id: z.string(), thread_id: z.string() }),
    warnings: z.array(z.string()),
    items: z.array(JsonSchema).optional(),
    total: z.int().optional(),
  }),
  async run({ input, node, principal, services, log }) {
    const { executor, outputs, previous, skip, place, item, index, turn, own } = input;
    const run = {
      run_id: input.run?.run_id ?? toRunUuid(node.rootExecutionId),
      user_id: String(principal.userId ?? 0),
      thread_id: input.run?.thread_id ?? "",
    };
    const hasPrevious = Object.keys(outputs).length > 0;
    const answer = { received: hasPrevious ? (previous as Json) : null, run, warnings: [] as string[] }; // cast: inputs are JSON
    if (skip.includes(place)) return done({ ...answer, skipped: true, system: "", prompt: "", steps: [] });
    const { broken, grown } = compareManifest(input.manifest, (name) => services.tools.get(name, principal.tenantId));
    if (broken.length > 0) {
      throw new OvenError(
        "TOOLS_CHANGED",
        `The tools are not those that the workflow was made with: ${broken.join("; ")}`,
        {
          status: 409,
          fix: "Look at the prompts, then approve the tools as they are now (POST executor-chains/[id]/approve-tools).",
        },
      );
    }
    for (const change of grown) log("warn", `The tools have changed since the workflow was made: ${change}`);
    answer.warnings = grown;
    const whole = hasPrevious ? await wholeOf(services.blobs, previous as Json, principal.tenantId) : undefined; // cast: inputs are JSON
    const large = asLarge(previous as Json); // cast: inputs are JSON
    const hint = executor.iteration_hint === null ? "" : `\n\nIteration hint: ${executor.iteration_hint}`;
    const shown = large === undefined ? whole : (large as unknown as Json); // cast: a shape of JSON
    const isByReference = Object.values(outputs).some((output) => asLarge(output as Json) !== undefined); // cast: inputs are JSON
    const prompts = {
      system: `${injectPrompt(executor.system_prompt, { previous: shown, whole, item: item as Json | undefined })}${hint}`, // cast: inputs are JSON
      prompt: toUserMessage({
        outputs: outputs as Record<string, Json>, // cast: inputs are JSON
        item: index === undefined ? undefined : { index, value: item as Json }, // cast: inputs are JSON
        own: turn > 1 ? { turn: turn - 1, value: (own ?? null) as Json } : undefined, // cast: inputs are JSON
      }),
      steps: isByReference ? [] : [{ tools: executor.tools }],
    };
    const loop = loopOf(executor);
    if (loop?.type !== "for_each" || index !== undefined) return done({ ...answer, skipped: false, ...prompts });
    const list = atPath(whole ?? null, loop.input_path);
    if (!Array.isArray(list)) {
      const where = loop.input_path === null ? "The previous output" : `${loop.input_path} of the previous output`;
      const keys = isObject(whole ?? null) ? Object.keys(whole as object).join(", ") : "none"; // cast: an object
      throw new OvenError("INPUT_INVALID", `${where} is no list to go through for ${executor.executor_id}`, {
        status: 422,
        path: `$.executors[${place}].loop.input_path`,
        fix: `The previous output has the keys: ${keys}.`,
      });
    }
    // Items have prompts of their own.
    return done({
      ...answer,
      skipped: false,
      system: "",
      prompt: "",
      steps: [],
      items: list.slice(0, loop.max_items),
      total: list.length,
    });
  },
});
