import type { JsonObject } from "@oven/contract";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { installedModules } from "./modules.ts";

const END = { type: "final" };
const STEP = { src: "core.transform", input: { mapping: { done: true } } };

describe("what is read of a starter", () => {
  let oven: TestOven;
  let lookups = 0;
  beforeAll(async () => {
    const modules = installedModules({ demo: false }).map((module) => {
      const { services: build } = module;
      if (module.name !== "module-roles" || build === undefined) return module;
      const counted: typeof build = async (deps) => {
        const services = await build(deps);
        const { access } = services;
        if (access === undefined) return services;
        const count = <Args extends unknown[], Answer>(look: (...args: Args) => Answer) => {
          return (...args: Args): Answer => {
            lookups += 1;
            return look(...args);
          };
        };
        const { findPrincipal, findKey } = access;
        return { ...services, access: { ...access, findPrincipal: count(findPrincipal), findKey: count(findKey) } };
      };
      return { ...module, services: counted };
    });
    oven = await startTestOven({ createRuntime, modules });
  });
  beforeEach(() => {
    lookups = 0;
  });
  afterAll(() => oven.stop());

  async function start(definition: JsonObject): Promise<string> {
    const { body } = await oven.call("POST", "workflows", { name: "Starter", definition });
    const run = await oven.call("POST", `workflows/${body.id}/execute`, { input: {} });
    return `workflow-executions/${run.body.id}`;
  }

  const becomes = (path: string, status: string) =>
    expect.poll(async () => (await oven.call("GET", path)).body.status, { interval: 10 }).toBe(status);

  it("is one look at most for a run that does not wait, however many steps it has", async () => {
    const steps = [0, 1, 2, 3].map((at) => [`s${at}`, { invoke: { ...STEP, onDone: at < 3 ? `s${at + 1}` : "done" } }]);
    await becomes(await start({ initial: "s0", states: { ...Object.fromEntries(steps), done: END } }), "completed");
    // None where it begins within a second, which a busy machine may not manage.
    expect(lookups).toBeLessThanOrEqual(1);
  });

  it("is one look behind a wait, however many steps follow", async () => {
    const wait = { src: "core.waitForEvent", input: { event: "starter.go" } };
    const path = await start({
      initial: "wait",
      states: {
        wait: { invoke: { ...wait, onDone: "one" } },
        one: { invoke: { ...STEP, onDone: "two" } },
        two: { invoke: { ...STEP, onDone: "done" } },
        done: END,
      },
    });
    await becomes(path, "paused");
    lookups = 0;
    await oven.call("POST", `${path}/events`, { event: "starter.go" });
    await becomes(path, "completed");
    expect(lookups).toBe(1);
  });
});
