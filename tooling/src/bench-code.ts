import { startPostgres } from "../postgres/start-postgres.ts";
import { type Asked, measureCodeMode } from "./scale/code-mode.ts";

/*
 * `pnpm bench:code [--rounds 5] [--tasks 20]`: twenty tasks of 10 to 200 tool calls by the tool loop and by code mode, with the same scripted model;
 * what one call of a program takes beside steps of a graph; bytes of a waiting program. Ends with 1 when a limit is missed.
 */
const number = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
};
/** Of what the tool loop asks. */
const MAX_SHARE = 0.3;
/** Of what the same call takes as a step of a graph. */
const MAX_OVERHEAD = 1.5;
const MAX_SESSION_BYTES = 4_096;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const postgres = await startPostgres();
try {
  const { tasks, perCall, sessionBytes } = await measureCodeMode(postgres.url, {
    rounds: number("rounds", 5),
    tasks: number("tasks", 20),
  });
  say("| calls | one needs the other | loop: model calls | code | loop: tokens | code | tokens |");
  say("| ---: | --- | ---: | ---: | ---: | ---: | ---: |");
  for (const { calls, chained, loop, code } of tasks)
    say(
      `| ${calls} | ${chained ? "yes" : "no"} | ${loop.modelCalls} | ${code.modelCalls} | ${loop.tokens} | ${code.tokens} | ${percent(code.tokens / loop.tokens)} |`,
    );
  const sum = (of: (task: (typeof tasks)[number]) => Asked, what: keyof Asked): number =>
    tasks.reduce((all, task) => all + of(task)[what], 0);
  const calls = sum(({ code }) => code, "modelCalls") / sum(({ loop }) => loop, "modelCalls");
  const tokens = sum(({ code }) => code, "tokens") / sum(({ loop }) => loop, "tokens");
  const overNode = perCall.code / perCall.node;
  const overStep = perCall.code / perCall.toolStep;
  const figures = [
    { what: `model calls ${percent(calls)} of the loop's`, held: calls <= MAX_SHARE },
    { what: `tokens ${percent(tokens)} of the loop's`, held: tokens <= MAX_SHARE },
    {
      what: `a call ${perCall.code.toFixed(1)} ms, ${overStep.toFixed(2)} × the same call as a step of a graph (${perCall.toolStep.toFixed(1)} ms)`,
      held: overStep <= MAX_OVERHEAD,
    },
    {
      what: `a call ${overNode.toFixed(2)} × a node that does the same itself (${perCall.node.toFixed(1)} ms)`,
      held: overNode <= MAX_OVERHEAD,
    },
    { what: `${sessionBytes} bytes of a program that holds 100 values`, held: sessionBytes <= MAX_SESSION_BYTES },
  ];
  for (const { what, held } of figures) say(`${held ? "held" : "MISSED"}: ${what}`);
  process.exitCode = figures.every(({ held }) => held) ? 0 : 1;
} finally {
  await postgres.stop();
}
