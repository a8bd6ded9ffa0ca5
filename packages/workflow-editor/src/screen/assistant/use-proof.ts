import type { Execution } from "@oven/contract/run";
import { BuilderOutputSchema, type DraftProof } from "@oven/contract/workflow";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";

/** What a run of the assistant has proved of a draft; null: nothing, or not read yet. */
export function useProof(executionId: number | null): DraftProof | null {
  const mayRead = useCan("executions.read");
  const path = mayRead && executionId !== null ? `agent-workflow-executions/${executionId}` : null;
  const { data } = useAnswer<Execution>(path);
  const output = BuilderOutputSchema.safeParse(data?.output);
  return output.success ? output.data.proof : null;
}
