import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** With all modules: what each of them makes of its own is tested there. */
describe("in a fresh installation the end of a run", () => {
  let oven: TestOven;
  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }) });
  });
  afterAll(() => oven.stop());

  /** The listeners that the end of a new run was handed to. */
  async function runOnce(kind: string, id: number, input: object): Promise<string[]> {
    const { body: run } = await oven.call("POST", `${kind}/${id}/execute?wait=20`, { input });
    const read = () =>
      oven.db.query<{ open: boolean; listener: string | null }>(
        `select e.delivered_at is null as open, d.listener from outbox_events e
         left join outbox_deliveries d on d.event_id = e.id
         where e.order_key = 'execution:' || $1::text and e.name ~ 'execution.(completed|failed)$'`,
        [run.id],
      );
    await expect.poll(async () => new Set((await read()).map(({ open }) => open))).toEqual(new Set([false]));
    return (await read()).flatMap(({ listener }) => listener ?? []);
  }

  it.each(["workflows", "agent-workflows"])(
    "has no subscribers once that is known: of %s that a key starts",
    async (kind) => {
      const definition = {
        initial: "look",
        states: {
          look: {
            invoke: {
              src: "core.log",
              input: { message: "hello" },
              onDone: [
                { target: "fail", guard: { type: "condition", params: { key: "$.trigger.fail", operator: "exists" } } },
                { target: "done" },
              ],
            },
          },
          fail: { invoke: { src: "core.fail", input: { message: "no paper" }, onDone: "done" } },
          done: { type: "final" },
        },
      };
      const { body: flow } = await oven.call("POST", kind, { name: `Ends ${kind}`, definition });
      // How long it stays known is measured by the clock, which a busy machine lets pass.
      await expect.poll(() => runOnce(kind, flow.id, {}), { interval: 0 }).toEqual([]);
      const namespace = kind === "workflows" ? "workflows" : "agents-workflow";
      expect(await runOnce(kind, flow.id, { fail: true })).toContain(
        `module-notifications:${namespace}.execution.failed`,
      );
    },
  );
});
