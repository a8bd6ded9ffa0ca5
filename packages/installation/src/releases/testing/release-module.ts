import { defineModule, defineNode, type ModuleDefinition } from "@oven/module-registry";
import { z } from "zod";

/* Steps that fail as often as their input says, and two that pay. */

/** The amounts that were paid, in order. */
export const paid: number[] = [];
/** How often each place failed with each amount. */
export const failed = new Map<string, number>();
const shared = {
  version: 1,
  docs: "For this test.",
  category: "core",
  kind: "flow",
  permissions: [] as string[],
  retry: { maxAttempts: 1 },
  output: z.strictObject({}),
} as const;
const Input = z.strictObject({ place: z.string(), amount: z.number(), fails: z.record(z.string(), z.number()) });
function failSometimes({ place, amount, fails }: z.output<typeof Input>): void {
  const key = `${amount} ${place}`;
  const before = failed.get(key) ?? 0;
  failed.set(key, before + 1);
  if (before < (fails[place] ?? 0)) throw new Error(`${place} fails`);
}
const step = defineNode({
  ...shared,
  id: "proof.step",
  title: "Step",
  effect: "pure",
  input: Input,
  run: async ({ input }) => {
    failSometimes(input);
    return { type: "done", output: {} } as const;
  },
});
const pays = ["proof.pay", "proof.guarded"].map((id) =>
  defineNode({
    ...shared,
    id,
    title: "Pay",
    effect: "at-most-once",
    input: Input,
    run: async ({ input }) => {
      failSometimes(input);
      paid.push(input.amount);
      return { type: "done", output: {} } as const;
    },
  }),
);
/** `proof.pay`, and `proof.guarded` for which a policy demands a review. */
export const proof: ModuleDefinition = defineModule({
  name: "module-proof",
  namespace: "proof",
  description: "For this test.",
  dependencies: ["module-workflows"],
  nodes: [step, ...pays],
});
