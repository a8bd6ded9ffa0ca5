import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEvals, type TestEvals } from "../runs/testing/start-evals.ts";

const isLarge = (limit: number) => ({
  initial: "sum",
  states: {
    sum: {
      invoke: {
        src: "core.transform",
        input: { mapping: { n: "$.trigger.n" } },
        onDone: [{ target: "large", guard: { type: "cel", params: { expression: `output.n > ${limit}.0` } } }, "small"],
      },
    },
    large: { type: "final", outcome: "large" },
    small: { type: "final", outcome: "small" },
  },
});

describe("past runs of a dataset", () => {
  let oven: TestEvals;
  let id: number;
  const ids: number[] = [];
  beforeAll(async () => {
    oven = await startEvals([]);
    id = (await oven.call("POST", "workflows", { name: "Sizes", definition: isLarge(2) })).body.id;
    for (const input of [{ n: 1, why: "a" }, { n: 3, why: "b" }, { n: 4 }, { n: 3, why: "b" }]) {
      const { body } = await oven.call("POST", `workflows/${id}/execute?wait=30`, { input });
      expect(body.status).toBe("completed");
      ids.push(body.id);
    }
    const target = { kind: "workflow", id };
    const dataset = await oven.call("POST", "eval-datasets", { name: "Sizes", slug: "sizes", target });
    expect(dataset.body.error).toBeUndefined();
    const cases = [
      { name: "large", input: { why: "b", n: 3 } },
      { name: "never", input: { n: 77 } },
      { name: "off", input: { n: 4 }, enabled: false },
    ];
    for (const one of cases) {
      const made = await oven.call("POST", `eval-datasets/${dataset.body.id}/cases`, { ...one, expectations: [] });
      expect(made.body.error).toBeUndefined();
    }
  });
  afterAll(async () => oven.stop());

  it("are those that were given what its enabled cases give, whatever the order of the keys", async () => {
    const asked = { dataset: "sizes", definition: isLarge(3) };
    const { body } = await oven.call("POST", `workflows/${id}/rehearse`, asked);
    expect(body).toMatchObject({
      counts: { same: 0, outcome: 2 },
      runs: [{ executionId: ids[3] }, { executionId: ids[1] }],
      casesWithoutRun: 1,
      next: null,
    });
    const page = await oven.call("POST", `workflows/${id}/rehearse`, { ...asked, limit: 1 });
    expect(page.body).toMatchObject({ runs: [{ executionId: ids[3] }], next: ids[3] });
  });

  it("are what a rule about past runs looks at, whatever the publisher may see of datasets", async () => {
    const rule = { kind: "past-runs", workflow: { kind: "workflow", id }, dataset: "sizes", minSame: 1 };
    const { body: policy } = await oven.call("POST", "graph-policies", { name: "Sizes", rule });
    const { body: key } = await oven.call("POST", "api-keys", {
      name: "publisher",
      permissions: ["workflows.read", "workflows.update"],
    });
    const publish = (definition: object) => oven.call("PUT", `workflows/${id}`, { definition }, { key: key.key });
    const refused = await publish(isLarge(3));
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "POLICY_VIOLATED" } } });
    expect(refused.body.error.message).toContain(`run ${ids[3]}, run ${ids[1]}`);
    expect((await publish({ ...isLarge(2), description: "The same" })).status).toBe(200);
    await oven.call("DELETE", `graph-policies/${policy.id}`);
  });

  it("are refused where the dataset is about another workflow, or is not there", async () => {
    const other = (await oven.call("POST", "workflows", { name: "Other", definition: isLarge(1) })).body.id;
    expect(await oven.call("POST", `workflows/${other}/rehearse`, { dataset: "sizes" })).toMatchObject({
      status: 422,
      body: { error: { code: "NOT_OF_TARGET" } },
    });
    expect((await oven.call("POST", `workflows/${id}/rehearse`, { dataset: "none" })).status).toBe(404);
  });
});
