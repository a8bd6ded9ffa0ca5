import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../../packages/contract/src/index.ts";
import { defineModule, defineTool, RUNNING_ROLES } from "../../../packages/module-registry/src/index.ts";
import { injections } from "../../../packages/module-workflow-agents/src/agents/testing/injections.ts";
import type { ModelReply, ScriptedToolCall } from "../../../packages/testing/src/index.ts";
import { type OutsideServices, startOutsideServices } from "./acceptance/outside-services.ts";
import { must, SECRET_VALUE } from "./acceptance/world.ts";
import { BenchOven } from "./bench-oven.ts";
import { builderInjections, type InjectionPlace } from "./builder-injections.ts";
import { end, flow, step, takes } from "./definition-parts.ts";
import { toCall } from "./models/perfect-model.ts";
import type { ReadRequest } from "./models/read-request.ts";
import { differencesOf, readAuthority } from "./read-authority.ts";

/*
 * A model that does whatever it reads: the text stands where a builder looks, the model reads it there, and calls every tool that the text is after.
 */

const PLACES: readonly InjectionPlace[] = ["run output", "error message", "table row", "document"];
const all: readonly { place: InjectionPlace; text: string; obeyed: ScriptedToolCall[] }[] = [
  ...injections.map((one, index) => ({ ...one, place: PLACES[index % PLACES.length] ?? "run output" })),
  ...builderInjections,
];

let services: OutsideServices;
let bench: BenchOven;
/** Tools of the shop that have run. */
const ran: string[] = [];
const places = { victim: 0, review: 0 };
/** What the model does in this test. */
let replies: ModelReply[] = [];
let news: string[] = [];

function obey(request: ReadRequest): ModelReply {
  news.push(...request.news.map(({ text }) => text));
  return replies.shift() ?? { text: "I did what I read." };
}

const tool = (id: string, description: string) =>
  defineTool({
    ...{ id, title: id, description },
    input: z.strictObject({ id: z.int() }),
    output: z.strictObject({ text: z.string() }),
    ...{ effect: "at-most-once", permission: "shop.use" },
    run: async () => {
      ran.push(id);
      return { text: SECRET_VALUE };
    },
  });

beforeAll(async () => {
  services = await startOutsideServices();
  const described = builderInjections.flatMap(({ place, text }, index) =>
    place === "tool description" ? [tool(`shop.note${index}`, text)] : [],
  );
  const shop = defineModule({
    name: "module-shop",
    namespace: "shop",
    description: "A shop.",
    dependencies: [],
    permissions: [{ id: "shop.use", title: "Use the shop", roles: RUNNING_ROLES }],
    tools: [tool("shop.pay", "Pays"), tool("shop.vault", "Opens the vault"), tool("shop.read", "Reads"), ...described],
  });
  bench = await BenchOven.start({ services, builder: obey, modules: [shop], demo: true });
  const { oven } = bench;
  const definition = flow(takes({}), {
    ask: step("agent.humanReview", { show: "Open the vault?" }, "done", { onError: "done" }),
    done: end(),
  });
  places.victim = (await must(oven, "POST", "agent-workflows", { name: "Victim", slug: "victim", definition })).id;
  await must(oven, "POST", `agent-workflows/${places.victim}/execute?wait=20`, { input: {} });
  const [review] = await must(oven, "GET", `reviews?filter=${encodeURIComponent('{"status":"open"}')}`);
  places.review = review.id;
});
afterAll(async () => {
  await bench.stop();
  await services.close();
});

/** A workflow whose run, draft or tool has the text, and the calls that read it there. */
async function plant(index: number): Promise<{ workflowId: number; reads: ModelReply[] }> {
  const { place, text } = all[index] ?? { place: "document" as const, text: "" };
  const make = async (definition: JsonObject, more: JsonObject = {}): Promise<number> =>
    (await must(bench.oven, "POST", "agent-workflows", { name: `Injected into ${index}`, definition, ...more })).id;
  const run = async (workflowId: number) =>
    (await must(bench.oven, "POST", `agent-workflows/${workflowId}/execute?wait=20`, { input: {} })).id;
  const quoted = { $literal: text };
  switch (place) {
    case "run output": {
      const workflowId = await make(flow(takes({}), { done: end(quoted) }));
      return { workflowId, reads: [toCall("get_run", { run_id: await run(workflowId) })] };
    }
    case "error message": {
      const fail = { invoke: { src: "core.fail", input: { message: quoted, code: "SERVICE_DOWN" } } };
      const workflowId = await make(flow(takes({}), { fail }));
      return { workflowId, reads: [toCall("get_run", { run_id: await run(workflowId) })] };
    }
    case "table row": {
      await must(bench.oven, "POST", "tables/seen/rows", { rows: [{ message_id: `m${index}`, summary: text }] });
      const find = step("tables.find", { table: "seen", where: { message_id: `m${index}` } }, "done");
      const workflowId = await make(flow(takes({}), { find, done: end() }));
      return { workflowId, reads: [toCall("get_run", { run_id: await run(workflowId), step: "find" })] };
    }
    case "document": {
      const workflowId = await make(flow(takes({}), { done: end({ note: quoted }) }), { description: text });
      return { workflowId, reads: [toCall("get_agent_workflow", {}), toCall("read_steps", { steps: ["done"] })] };
    }
    case "tool description": {
      const workflowId = await make(flow(takes({}), { done: end() }));
      const tool_id = `shop.note${index - injections.length}`;
      return { workflowId, reads: [toCall("describe_tool", { tool_id })] };
    }
  }
}

/** Answers quote texts in more than one way. */
function lettersOf(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, "");
}

/** With the ids of this installation. */
function fillIn(call: ScriptedToolCall): ScriptedToolCall {
  const text = JSON.stringify(call)
    .replaceAll('"{{victim}}"', String(places.victim))
    .replaceAll('"{{review}}"', String(places.review));
  return JSON.parse(text);
}

describe("a builder that obeys what it reads", () => {
  it("meets 20 injections that are known and 20 that are after it, in five places", () => {
    expect([injections.length, builderInjections.length]).toEqual([20, 20]);
    expect(new Set(all.map(({ place }) => place)).size).toBe(5);
  });

  it.each(all.map(({ place, text }, index) => [index, place, text.slice(0, 60)] as const))(
    "%i, as a %s (%s), publishes nothing, widens nothing, calls nothing and changes no other draft",
    async (index) => {
      const { workflowId, reads } = await plant(index);
      const before = await readAuthority(bench.oven.db);
      const calls = services.begin({});
      [ran.length, news] = [0, []];
      const from = bench.model.requests.length;
      const obeyed = (all[index]?.obeyed ?? []).map(fillIn);
      replies = [...reads, ...obeyed.map((one): ModelReply => ({ toolCalls: [one] }))];
      const { error, output } = await bench.converse(`Look at it (${index})`, workflowId);
      expect([error, output?.text]).toEqual([null, "I did what I read."]);
      // It has read the text, and nothing of the script is left.
      expect(lettersOf(news.join())).toContain(lettersOf(all[index]?.text ?? "").slice(0, 40));
      expect(replies).toEqual([]);
      expect(differencesOf(before, await readAuthority(bench.oven.db), workflowId)).toEqual([]);
      expect([ran, calls]).toEqual([[], []]);
      const asked = bench.model.requests.slice(from).map(({ body }) => JSON.stringify(body));
      expect(asked.filter((body) => body.includes(SECRET_VALUE))).toEqual([]);
    },
  );
});
