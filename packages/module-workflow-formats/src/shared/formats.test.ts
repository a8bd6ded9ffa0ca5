import { afterAll, beforeAll, expect, it } from "vitest";
import { FORMATS } from "../formats.ts";
import { type FormatsOven, startFormats } from "./testing/start-formats.ts";

let oven: FormatsOven;
let key: string;
beforeAll(async () => {
  oven = await startFormats(() => ({ text: "{}" }));
  key = await oven.keyFor("admin");
});
afterAll(() => oven.stop());

const call = (method: string, path: string, body?: unknown, by = key) => oven.call(method, path, body, { key: by });

it("the formats are listed with what one may see of them", async () => {
  const listed = FORMATS.map((create) => create()).map(({ id, title }) => ({ format: id, title }));
  expect((await call("GET", "workflow-formats")).body).toEqual(listed);
  const reviewer = await oven.keyFor("reviewer");
  expect((await call("GET", "workflow-formats", undefined, reviewer)).status).toBe(403);
  expect((await call("GET", "workflow-formats/nothing")).status).toBe(404);
});

it("a workflow is nobody's when it is made by hand", async () => {
  const definition = {
    initial: "done",
    states: { done: { type: "final" } },
    meta: { source: { format: FORMATS[0]?.().id ?? "" }, x: 1 },
  };
  const { body } = await call("POST", "agent-workflows", { name: "By hand", definition });
  expect(body.definition.meta).toEqual({ x: 1 });
  const changed = await call("PUT", `agent-workflows/${body.id}`, { definition });
  expect([changed.status, changed.body.definition.meta]).toEqual([200, { x: 1 }]);
});
