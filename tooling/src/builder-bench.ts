import { allTasks } from "./builder-bench/all-tasks.ts";
import { measureBuilder, type RealModel, type ScriptedModel } from "./builder-bench/measure.ts";
import { COUNTED, toTable } from "./builder-bench/print-table.ts";

/*
 * `pnpm builder:bench [--tasks ID,ID] [--model PROVIDER:MODEL]`: the assistant builds and repairs 60 workflows that were described in words, and each draft
 * runs through cases that it has not seen. Without a model two scripted ones are asked: one that knows the solution, and one that makes blunders
 * and corrects what it is shown. A real model needs its key in the environment, as for the server. Ends with 1 when a limit is missed.
 */
const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? undefined : process.argv[at + 1];
};
/** Of 60 tasks, by what the server says alone. */
const LEAST_CLUMSY = 45;
const KEYS = ["ANTHROPIC_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"];

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const wanted = option("tasks")?.split(",");
const tasks = allTasks.filter(({ id }) => wanted === undefined || wanted.includes(id));
const measured = option("model");
const real = measured === undefined ? undefined : toRealModel(measured);
let isMissed = tasks.length === 0;

for (const model of real === undefined ? (["perfect", "clumsy"] as const) : [real]) {
  const name = typeof model === "string" ? `The ${model} model` : model.model;
  const measurement = await measureBuilder(tasks, model, ({ id, solved, seconds }) =>
    process.stderr.write(`${solved ? "solved" : "NOT SOLVED"}: ${id} (${seconds.toFixed(1)} s)\n`),
  );
  say(toTable(name, measurement));
  const solved = measurement.results.filter((one) => one.solved).length;
  const isLow = typeof model === "string" && solved < leastOf(model);
  if (isLow || measurement.overreach.length > 0 || (measurement.leaks ?? 0) > 0) isMissed = true;
}
say(
  real === undefined ? `${COUNTED} No real model was measured.` : "The cost is by the price list of the installation.",
);
process.exit(isMissed ? 1 : 0);

function leastOf(model: ScriptedModel): number {
  return model === "perfect" ? tasks.length : Math.floor((tasks.length * LEAST_CLUMSY) / allTasks.length);
}

function toRealModel(model: string): RealModel {
  const variables = Object.fromEntries(KEYS.map((key) => [key, process.env[key]]));
  if (!Object.values(variables).some((value) => value !== undefined)) {
    process.stderr.write(`${model} needs its key: one of ${KEYS.join(", ")}\n`);
    process.exit(2);
  }
  return { model, variables };
}
