import { notFound, type Principal } from "@oven/contract";
import type { ChatTarget, SpokenMessage } from "@oven/contract/agent";
import type { AsksFace, KnownRun } from "@oven/module-chat";
import type { AnsweredCalls } from "../requests/call-ids.ts";
import { RunAnswer } from "./run-answer.ts";

/** What starts runs of workflows here. */
const FROM_OPENAI_API = "openai-api";

export type Asking = Pick<Parameters<AsksFace["start"]>[2], "parameters" | "sessionId" | "key" | "callerTools"> & {
  said: readonly SpokenMessage[];
};

/** Starts a run of a model. @throws OvenError as starting runs of agents and workflows does */
export async function ask(asks: AsksFace, principal: Principal, model: ChatTarget, asking: Asking): Promise<RunAnswer> {
  const run = await asks.start(principal, model, { ...asking, from: FROM_OPENAI_API });
  return new RunAnswer(asks, principal, run);
}

/** The run that goes on with what the caller's tools have answered. @throws OvenError as `AsksFace.answerCalls` */
export async function answerCalls(
  asks: AsksFace,
  principal: Principal,
  model: ChatTarget,
  { runId, results }: AnsweredCalls,
): Promise<RunAnswer> {
  const run = await findRun(asks, principal, model, runId);
  await asks.answerCalls(principal, run, results);
  return RunAnswer.newest(asks, principal, run);
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
