import { notFound, type Principal } from "@oven/contract";
import type { ChatTarget, SpokenMessage } from "@oven/contract/agent";
import type { AsksFace, KnownRun } from "@oven/module-chat";
import { RunAnswer } from "./run-answer.ts";

/** What starts runs of workflows here. */
const FROM_OPENAI_API = "openai-api";

export type Asking = Pick<Parameters<AsksFace["start"]>[2], "parameters" | "sessionId" | "key"> & {
  said: readonly SpokenMessage[];
};

/** Starts a run of a model. @throws OvenError as starting runs of agents and workflows does */
export async function ask(asks: AsksFace, principal: Principal, model: ChatTarget, asking: Asking): Promise<RunAnswer> {
  const run = await asks.start(principal, model, { ...asking, from: FROM_OPENAI_API });
  return new RunAnswer(asks, principal, run);
}

/** A run of this model that was started before. @throws OvenError NOT_FOUND */
export async function findRun(
  asks: AsksFace,
  principal: Principal,
  { kind, id }: Pick<ChatTarget, "kind" | "id">,
  handle: number,
): Promise<KnownRun> {
  const run = await asks.find(principal, handle);
  if (run.target.kind !== kind || run.target.id !== id) throw notFound("run of this model", handle);
  return run;
}
