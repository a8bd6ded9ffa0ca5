import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { TriggerDelivery } from "@oven/contract/trigger";
import { TEST_KEY } from "@oven/testing";
import { afterEach, expect, it } from "vitest";

const PROGRAM = fileURLToPath(new URL("../triggers/testing/trigger-process.ts", import.meta.url));

const running: ChildProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) await kill(child);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** A server on that database, in a process of its own. */
async function start(dataDir: string) {
  const child = spawn(process.execPath, [PROGRAM, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  running.push(child);
  const [port] = await once(createInterface(child.stdout), "line");
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  const call = async (method: string, path: string, body?: unknown): Promise<any> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${TEST_KEY}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    expect(response.status, JSON.stringify(answer)).toBeLessThan(300);
    return answer;
  };
  const deliveries = (triggerId: number): Promise<TriggerDelivery[]> => {
    const filter = encodeURIComponent(JSON.stringify({ triggerId }));
    return call("GET", `trigger-deliveries?filter=${filter}&sort=["id","ASC"]&range=[0,99]`);
  };
  /** The inputs of all runs of a workflow, in the order in which they were started. */
  const inputs = async (workflowId: number): Promise<unknown[]> => {
    const filter = encodeURIComponent(JSON.stringify({ workflowId }));
    const runs = await call("GET", `workflow-executions?filter=${filter}&sort=["id","ASC"]&range=[0,99]`);
    return Promise.all(
      runs.map(async ({ id }: { id: number }) => (await call("GET", `workflow-executions/${id}`)).input),
    );
  };
  return { call, deliveries, inputs, kill: () => kill(child) };
}

const toShapes = (heldMs: number) => ({
  debounce: { debounce: { key: "ctx.who", quietMs: heldMs } },
  batch: { batch: { key: "ctx.who", count: 9, withinMs: heldMs } },
  rate: { rate: { key: "ctx.who", count: 1, perMs: heldMs, over: "wait" } },
});
const DEFINITION = { initial: "done", states: { done: { type: "final" } } };

it("starts each run of events that were held once, when the server is killed while it holds them and while it lets them go", async () => {
  const folder = mkdtempSync(join(tmpdir(), "oven-shaping-"));
  folders.push(folder);
  const dataDir = join(folder, "db");
  const began = Date.now();
  const first = await start(dataDir);
  // Longer than a server takes to start, on whatever machine: the second one must find events that are still held.
  const heldMs = Math.max(4_000, 2 * (Date.now() - began));
  const made: Record<string, { trigger: number; workflow: number }> = {};
  for (const [name, shaping] of Object.entries(toShapes(heldMs))) {
    const { id: workflow } = await first.call("POST", "workflows", { name, definition: DEFINITION });
    const target = { kind: "workflow", workflowId: workflow };
    const { id: trigger } = await first.call("POST", "triggers", { type: "manual", name, target, shaping });
    made[name] = { trigger, workflow };
  }
  const all = Object.values(made);
  for (const n of [1, 2, 3])
    for (const { trigger } of all) await first.call("POST", `triggers/${trigger}/fire`, { payload: { who: "ada", n } });
  const held = async ({ deliveries }: typeof first) =>
    (await Promise.all(all.map(({ trigger }) => deliveries(trigger))))
      .flat()
      .filter(({ decision }) => decision === "held").length;
  expect(await held(first)).toBeGreaterThan(0);
  await first.kill();

  const second = await start(dataDir);
  const before = await held(second);
  expect(before).toBeGreaterThan(0);
  await expect.poll(() => held(second), { interval: 5, timeout: 2 * heldMs }).toBeLessThan(before);
  await second.kill();

  const third = await start(dataDir);
  await expect.poll(() => held(third), { interval: 50, timeout: 3 * heldMs }).toBe(0);
  const of = async (name: keyof ReturnType<typeof toShapes>) => third.inputs(made[name]?.workflow ?? 0);
  const event = (n: number) => ({ who: "ada", n });
  await expect.poll(() => of("debounce"), { timeout: 20_000 }).toEqual([event(3)]);
  await expect.poll(() => of("batch"), { timeout: 20_000 }).toEqual([{ events: [event(1), event(2), event(3)] }]);
  await expect.poll(() => of("rate"), { timeout: 20_000 }).toEqual([event(1), event(2), event(3)]);
}, 600_000);
