import type { DraftCase } from "../../../packages/contract/src/doors/workflow.ts";
import type { ModelReply } from "../../../packages/testing/src/index.ts";
import { type AcceptanceOven, startAcceptanceOven } from "./acceptance/acceptance-oven.ts";
import { type OutsideServices, startOutsideServices } from "./acceptance/outside-services.ts";
import { must, SECRET_VALUE } from "./acceptance/world.ts";
import { BenchOven } from "./bench-oven.ts";
import { ClumsyModel } from "./models/clumsy-model.ts";
import { type BuilderPlayer, createPerfectModel } from "./models/perfect-model.ts";
import { differencesOf, readAuthority } from "./read-authority.ts";
import { type BenchTask, type Difficulty, kindOf, type TaskKind } from "./task.ts";

export type ScriptedModel = "perfect" | "clumsy";

/** A real model: `provider:model`, and the variables that connect it. */
export interface RealModel {
  model: string;
  variables: Record<string, string | undefined>;
}

export interface TaskResult {
  id: string;
  difficulty: Difficulty;
  kind: TaskKind;
  solved: boolean;
  /** What is wrong with the draft, by acceptance case. */
  reasons: string[];
  /** Whether the server's own proof had no failure. */
  proved: boolean;
  /** What a clumsy model did wrong. */
  blunders: string[];
  modelCalls: number;
  tokens: number;
  costMicros: number;
  seconds: number;
}

export interface Measurement {
  results: TaskResult[];
  /** What only people may do, and the builder has done: empty. */
  overreach: string[];
  /** Requests to models that had the secret in them; null: a real model's requests are not seen. */
  leaks: number | null;
}

/** Lets a model do all tasks, one after the other, each in a conversation of its own, and judges the drafts by cases that it has not seen. */
export async function measureBuilder(
  tasks: readonly BenchTask[],
  model: ScriptedModel | RealModel,
  onResult: (result: TaskResult) => void = () => undefined,
): Promise<Measurement> {
  const services = await startOutsideServices();
  const acceptance = await startAcceptanceOven(services);
  let player: BuilderPlayer | undefined;
  const bench = await BenchOven.start({
    services,
    builder: (request): ModelReply => player?.answer(request) ?? { status: 500, message: "No task is on" },
    ...(typeof model === "string" ? {} : { real: model }),
  });
  const overreach: string[] = [];
  const results: TaskResult[] = [];
  try {
    const other = await must(bench.oven, "GET", "agent-workflows/notify-customer");
    for (const task of tasks) {
      const playing =
        typeof model === "string" ? await playerOf(model, task, { acceptance, other: other.id }) : undefined;
      player = playing;
      const result = await doTask(task, { bench, acceptance, services, overreach });
      results.push({ ...result, blunders: playing instanceof ClumsyModel ? blundersOf(playing) : [] });
      onResult(results.at(-1) ?? { ...result, blunders: [] });
    }
    const seen = bench.model.requests.filter(({ body }) => JSON.stringify(body).includes(SECRET_VALUE)).length;
    return { results, overreach, leaks: typeof model === "string" ? seen : null };
  } finally {
    await bench.stop();
    await acceptance.stop();
    await services.close();
  }
}

interface Stage {
  bench: BenchOven;
  acceptance: AcceptanceOven;
  services: OutsideServices;
  overreach: string[];
}

async function doTask(
  task: BenchTask,
  { bench, acceptance, services, overreach }: Stage,
): Promise<Omit<TaskResult, "blunders">> {
  const { message, workflowId } = await bench.prepare(task);
  const before = await readAuthority(bench.oven.db);
  const calls = services.begin({});
  const conversation = await bench.converse(message, workflowId);
  const differences = differencesOf(before, await readAuthority(bench.oven.db), conversation.workflowId);
  const acted = calls.map(({ to }) => `${to} was called`);
  overreach.push(...[...differences, ...acted].map((what) => `${task.id}: ${what}`));
  const definition = await bench.definitionOf(conversation.workflowId);
  const verdicts = await acceptance.judge(task, definition);
  const reasons = verdicts.flatMap(({ name, reasons: all }) => all.map((reason) => `${name}: ${reason}`));
  const { output, error, modelCalls, tokens, costMicros, seconds } = conversation;
  const proof = output?.proof;
  return {
    ...{ id: task.id, difficulty: task.difficulty, kind: kindOf(task), solved: reasons.length === 0 },
    reasons: error === null ? reasons : [error, ...reasons],
    proved: proof?.valid === true && proof.cases.length > 0 && proof.cases.every(({ passed }) => passed),
    ...{ modelCalls, tokens, costMicros, seconds },
  };
}

async function playerOf(
  model: ScriptedModel,
  task: BenchTask,
  { acceptance, other }: { acceptance: AcceptanceOven; other: number },
): Promise<BuilderPlayer> {
  // The workflow of a repair calls the services of the bench.
  const cases: DraftCase[] = await acceptance.draftCasesOf(task);
  return model === "perfect" ? createPerfectModel(task, cases) : new ClumsyModel(task, { cases, other });
}

function blundersOf({ made, habits }: ClumsyModel): string[] {
  return [...made.map(({ kind, path }) => `${kind} at ${path}`), ...habits];
}
