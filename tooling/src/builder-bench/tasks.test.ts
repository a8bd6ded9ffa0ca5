import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FIRST_VERSION } from "../../../packages/contract/src/doors/workflow.ts";
import type { JsonObject } from "../../../packages/contract/src/index.ts";
import { type AcceptanceOven, startAcceptanceOven } from "./acceptance/acceptance-oven.ts";
import { type OutsideServices, startOutsideServices } from "./acceptance/outside-services.ts";
import { SECRET_VALUE } from "./acceptance/world.ts";
import { allTasks } from "./all-tasks.ts";
import { type BenchTask, kindOf } from "./task.ts";

/*
 * What the bench measures with: each task can be solved, what it begins with does not solve it, and both are definitions that could be published.
 */

let services: OutsideServices;
let oven: AcceptanceOven;
beforeAll(async () => {
  services = await startOutsideServices();
  oven = await startAcceptanceOven(services);
});
afterAll(async () => {
  await oven.stop();
  await services.close();
});

const failing = async (task: BenchTask, definition: JsonObject) =>
  (await oven.judge(task, definition)).filter(({ reasons }) => reasons.length > 0);
const startOf = ({ repair }: BenchTask): JsonObject => repair?.published ?? JSON.parse(JSON.stringify(FIRST_VERSION));
const solve = (id: string): BenchTask => {
  const task = allTasks.find((one) => one.id === id);
  if (task === undefined) throw new Error(`There is no task ${id}`);
  return task;
};

describe("the tasks of the bench", () => {
  it("are 20 easy, 25 medium and 15 hard ones, a third of them repairs", () => {
    const count = (is: (task: BenchTask) => boolean) => allTasks.filter(is).length;
    expect(new Set(allTasks.map(({ id }) => id)).size).toBe(60);
    expect(new Set(allTasks.map(({ say }) => say)).size).toBe(60);
    expect(["easy", "medium", "hard"].map((one) => count(({ difficulty }) => difficulty === one))).toEqual([
      20, 25, 15,
    ]);
    expect([count((task) => kindOf(task) === "build"), count((task) => kindOf(task) === "repair")]).toEqual([40, 20]);
    expect(JSON.stringify(allTasks.map(({ say, reference }) => [say, reference]))).not.toContain(SECRET_VALUE);
  });

  it.each(allTasks.map((task) => [task.id, task] as const))(
    "%s can be solved, and is not solved at the start",
    async (_id, task) => {
      expect(await oven.errorsOf(task.reference)).toEqual([]);
      expect(await oven.errorsOf(startOf(task))).toEqual([]);
      expect(await failing(task, task.reference)).toEqual([]);
      expect((await failing(task, startOf(task))).length).toBeGreaterThan(0);
    },
  );
});

describe("acceptance", () => {
  it("takes another graph that does the same", async () => {
    const { say: _say, ...task } = solve("sum-items");
    const byCel = {
      initial: "loop",
      context: { sum: 0 },
      payloadSchema: task.reference.payloadSchema ?? {},
      states: {
        loop: {
          loop: {
            type: "forEach",
            collection: "$.trigger.items",
            bodyInitial: "plus",
            bodyStates: {
              plus: {
                always: [
                  {
                    target: "next",
                    actions: [
                      { type: "assign", params: { path: "$.sum", add: { $cel: "item.price * item.quantity" } } },
                    ],
                  },
                ],
              },
              next: { type: "final" },
            },
            onDone: "finished",
          },
        },
        finished: { type: "final", output: { total: "$.sum" } },
      },
    };
    expect((await oven.judge(task, byCel)).flatMap(({ reasons }) => reasons)).toEqual([]);
  });

  it("sees a call too many, a review too few, a wait that is too short, a row too many", async () => {
    const reasonsOf = async (id: string, change: (definition: JsonObject) => void) => {
      const definition = structuredClone(solve(id).reference);
      change(definition);
      return (await oven.judge(solve(id), definition)).flatMap(({ reasons }) => reasons).join("; ");
    };
    // cast: the tests know the states of these definitions
    const at = (definition: JsonObject, ...path: string[]) =>
      path.reduce((one, key) => one[key] as JsonObject, definition);
    expect(
      await reasonsOf("limited-loop", (one) => {
        at(one, "states").count = { always: [{ target: "each" }] };
        delete at(one, "states", "each", "loop").maxIterations;
        delete at(one, "states").tooMany;
      }),
    ).toContain("a call is not expected: POST mail.example.com/send");
    expect(
      await reasonsOf("two-stage-approval", (one) => {
        Object.assign(at(one, "states", "limit"), { always: [{ target: "order" }] });
        delete at(one, "states").finance;
      }),
    ).toContain("people were asked 1 times instead of 2");
    expect(
      await reasonsOf("invoice-deadline", (one) => {
        at(one, "states", "wait", "invoke", "input").deadline = "P13D";
      }),
    ).toMatch(/it waits 31\d\.\d+ hours instead of 336/);
    expect(
      await reasonsOf("dedup-messages", (one) => {
        at(one, "states", "find", "invoke").onDone = "post";
        delete at(one, "states").duplicate;
      }),
    ).toContain("a call is not expected: POST chat.example.com/posts");
  });
});
