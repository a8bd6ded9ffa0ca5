import { parseJson } from "../../../packages/contract/src/index.ts";
import type { Database } from "../../../packages/db/src/index.ts";
import type { ChaosShape } from "./check-campaign.ts";

/** A loop, calls side by side, every effect class and a review: 14 calls of the ledger from one program. */
const PROGRAM = `import asyncio
values = []
for n in range(8):
    saved = await chaos_keep(n=n)
    values.append(saved["value"])
    if n % 4 == 3:
        both = await asyncio.gather(chaos_look(n=n), chaos_send(n=n))
        values += [one["value"] for one in both]
    if n == 5:
        values.append((await chaos_pay(n=n))["value"])
values.append((await chaos_approved(n=9))["value"])
values
`;
const CALLS = 14;
/** Times at which the program waits; two of them for two calls. */
const WAITS = 12;
/** The first call of each time. */
const FIRST_CALLS = [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 14];

/** A program over tools: what it returns is what its recorded calls answered, in their order. */
export const CODE_SHAPE: ChaosShape = {
  definition: {
    initial: "code",
    timeoutMs: 3_600_000,
    states: {
      code: { invoke: { src: "agent.code", input: { code: PROGRAM, tools: ["chaos.*"] }, onDone: "done" } },
      done: { type: "final", output: "$.code_output" },
    },
  },
  rows: [
    "code#1",
    ...Array.from({ length: WAITS + 1 }, (_, index) => `code.run#${index + 1}`),
    ...Array.from({ length: WAITS }, (_, index) => `code.tools#${index + 1}`),
    ...Array.from({ length: CALLS }, (_, index) => `code.tools#${visitOf(index + 1)}/call-${index + 1}`),
  ].sort(),
  calls: /^$/,
  checkMore: checkResults,
};

function visitOf(call: number): number {
  return FIRST_CALLS.findLastIndex((first) => first <= call) + 1;
}

/** Each result is the list of what its calls answered: no answer was lost, doubled or put in another place. */
async function checkResults(db: Database): Promise<string[]> {
  const runs = await db.query<{ id: number; output: string }>("select id, output::text from workflow_executions");
  const rows = await db.query<{ execution_id: number; item: string; output: string }>(
    "select execution_id, item, output::text from node_executions where item is not null",
  );
  const byRun = Map.groupBy(rows, ({ execution_id }) => execution_id);
  return runs.flatMap(({ id, output }) => {
    const answers = (byRun.get(id) ?? [])
      .toSorted((one, other) => numberOf(one.item) - numberOf(other.item))
      .map((row) => answerOf(row.output));
    const { result, calls } = parseJson(output) as { result: string[]; calls: number }; // cast: as the step answers
    const isSame = calls === CALLS && result.join() === answers.join();
    return isSame ? [] : [`run ${id} came to ${result.join()} of ${calls} calls, which answered ${answers.join()}`];
  });
}

function numberOf(item: string): number {
  return Number(item.slice("call-".length));
}

/** What a tool answered, or a person for it. */
function answerOf(output: string): string {
  const { result, value } = parseJson(output) as { result?: { value: string }; value?: string }; // cast: as the executor stores it
  return result?.value ?? value ?? "";
}
