import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRuntime, createSystemModule } from "../../../packages/module-registry/src/index.ts";
import { createRolesModule } from "../../../packages/module-roles/src/index.ts";
import { createWorkflowsModule } from "../../../packages/module-workflows/src/index.ts";
import { startTestOven, type TestOven } from "../../../packages/testing/src/index.ts";
import { generateTrigger } from "./generate-trigger.ts";
import { copyPackage, type PackageCopy } from "./testing/package-copy.ts";

const GERMAN = "packages/module-triggers/i18n/de.json";

describe("a new kind of trigger: one file, one line", () => {
  const clock = { now: new Date("2026-01-01T08:00:00Z") };
  let copy: PackageCopy;
  let oven: TestOven;
  let tick: () => Promise<void>;
  beforeAll(async () => {
    copy = copyPackage(["packages/module-triggers", GERMAN], (read) => generateTrigger("low-stock", read));
    const { createTriggersModule } = await copy.load("packages/module-triggers/src/triggers.module.ts");
    const triggers = createTriggersModule({ clock: async () => new Date(clock.now) });
    const services = async (deps: never) => {
      const built = await triggers.services(deps);
      tick = () => built.triggers.tick();
      return built;
    };
    // Nothing happens between two ticks of the test.
    const ticked = { ...triggers, services, start: async () => undefined };
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule(), ticked];
    oven = await startTestOven({ createRuntime, modules });
  });
  afterAll(async () => {
    await oven.stop();
    copy.remove();
  });

  it("passes the test that was written with it", () => {
    const test = "packages/module-triggers/src/types/low-stock.trigger.test.ts";
    expect(copy.runTest(test)).toMatchObject({ status: 0, output: expect.stringContaining("2 passed") });
  });

  it("shows in /api/trigger-types with the schema of its settings, and its words in German", async () => {
    const { body } = await oven.call("GET", "trigger-types");
    const shown = body.find(({ id }: { id: string }) => id === "low-stock");
    expect(shown).toMatchObject({
      title: "Low stock",
      configSchema: { properties: { everyMinutes: { type: "integer", default: 60 } } },
    });
    const german = JSON.parse(copy.read(GERMAN));
    expect(german[shown.docs]).toBe("Low stock: startet alle so und so viele Minuten. Es kommt {at} an.");
  });

  it("starts a run when it is due", async () => {
    const definition = { initial: "done", states: { done: { type: "final", output: "$.trigger" } } };
    const { body: workflow } = await oven.call("POST", "workflows", { name: "Order more", definition });
    const target = { kind: "workflow", workflowId: workflow.id };
    const made = await oven.call("POST", "triggers", { type: "low-stock", name: "Nuts", target, config: {} });
    expect(made.body).toMatchObject({ dueAt: "2026-01-01T09:00:00.000Z" });
    clock.now = new Date("2026-01-01T09:00:00Z");
    await tick();
    const { body: runs } = await oven.call("GET", "workflow-executions");
    expect(runs).toMatchObject([{ workflowId: workflow.id, triggerEvent: "low-stock" }]);
  });
});
