import { readFileSync } from "node:fs";
import type { Json, JsonObject } from "@oven/contract";
import { isOvenError } from "@oven/contract";
import type { SessionGraphSpec } from "@oven/contract/formats/sessions.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BoltServer, startBoltServer } from "./testing/bolt-server.ts";
import { GOOD, MALFORMED } from "./testing/malformed-graphs.ts";
import { graphOf, ref, type SessionStory, says, startSessions } from "./testing/session-story.ts";

let story: SessionStory;
beforeAll(async () => {
  story = await startSessions();
});
afterAll(() => story.oven.stop());

const path = (from: string, to: string) => ({ from, to });

describe("a document", () => {
  it("that is good is taken [002-084]", async () => {
    const { definition, warnings, name } = await story.client.import(GOOD);
    expect([definition, name]).toEqual([JSON.parse(GOOD), "Regions"]);
    expect(warnings).toEqual([]);
  });

  it.each(MALFORMED)("is refused at its place: %s [002-002] [002-035] [002-058]", async (_, source, says) => {
    const text = source.replace("§", "");
    const before = source.slice(0, source.indexOf("§"));
    const told = await story.client.import(text).then(
      () => "it was taken",
      (error: unknown) => error,
    );
    if (!isOvenError(told)) throw new Error(String(told));
    expect([told.status, told.code]).toEqual([422, expect.stringMatching(/^SOURCE_(INVALID|UNREADABLE)$/)]);
    expect(told.message).toMatch(says);
    const line = before.split("\n").length;
    expect(told.details, told.message).toMatchObject({ line, column: before.length - before.lastIndexOf("\n") });
  });

  it("of the guide is good, and runs as far as its question", async () => {
    const guide = readFileSync(new URL("../../../../../docs/guides/session-graphs.md", import.meta.url), "utf8");
    const [, example = ""] = /```json\n([\s\S]*?)```/.exec(guide) ?? [];
    const { graph_id, warnings } = await story.client.import(example);
    expect(warnings).toEqual([]);
    const session = await story.settle((await story.client.start(graph_id)).id);
    expect(session.waiting.map(({ step, prompt }) => [step, prompt])).toContainEqual(["ask", "Which region?"]);
  });

  it("is refused with all that is wrong, and what is nearest", async () => {
    const wrong = GOOD.replace('"to": "ask"', '"to": "aks"').replace('"from": "root"', '"from": "rooot"');
    await expect(story.client.import(wrong)).rejects.toMatchObject({
      path: "$.next[0].from",
      fix: "Did you mean root?",
      details: {
        problems: [
          { path: "$.next[0].from", fix: "Did you mean root?", line: 13 },
          { path: "$.next[1].to", fix: "Did you mean ask?", line: 16 },
        ],
      },
    });
    await expect(story.client.import(GOOD.replace('"priority"', '"priorty"'))).rejects.toMatchObject({
      fix: "Did you mean priority?",
    });
    await expect(story.client.create({ steps: {} })).rejects.toMatchObject({ code: "SOURCE_INVALID", path: "$.steps" });
  });

  it("comes out as it went in, whatever is in it [002-087]", async () => {
    // A small generator of its own, so that a failure can be had again.
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T; // cast: lists are not empty
    const names = ["root", "b", "zeta", "a-1", "_x", "messages", "done"];
    const values: Json[] = [
      1,
      -0.5,
      "",
      "text",
      null,
      true,
      [],
      {},
      ref("root|x y"),
      `a ${ref("b[0].c")}`,
      "{{ x }}",
      { $cel: "1" },
    ];
    for (let round = 0; round < 12; round += 1) {
      const steps = Object.fromEntries(
        ["root", ...names.slice(1).filter(() => random(2) === 0), "b"]
          .toSorted(() => random(3) - 1)
          .map((name) => {
            const input: JsonObject = Object.fromEntries(
              Array.from({ length: random(4) }, (_, at) => [`k${at}`, pick(values)]),
            );
            return [
              name,
              {
                function: pick(["test.say", "no.such", "test.count"]),
                ...(random(3) === 0 ? {} : { input: random(4) === 0 ? JSON.stringify(input) : input }),
              },
            ];
          }),
      );
      const ids = Object.keys(steps);
      const next = Array.from({ length: random(6) }, () => ({
        from: pick(ids),
        to: pick(ids),
        ...(random(2) === 0 ? {} : { priority: random(5) - 2 }),
        ...(random(2) === 0 ? {} : { operator: pick(["AND", "OR"] as const) }),
        ...(random(2) === 0
          ? {}
          : { conditions: [{ variable: ref("root.x"), operator: pick(["==", "exists"] as const), value: random(9) }] }),
      }));
      const document: SessionGraphSpec = {
        ...(random(2) === 0 ? {} : { name: `Graph ${round}` }),
        ...(random(2) === 0 ? {} : { max_iterations: 1 + random(99) }),
        steps,
        ...(random(4) === 0 ? {} : { next }),
      };
      const text = JSON.stringify(document);
      const { graph_id } = await story.client.import(text);
      const exported = await story.client.export(graph_id);
      expect(exported).toEqual(document);
      // Their order counts.
      expect(Object.keys(exported.steps)).toEqual(ids);
      const { definition } = await story.client.import(JSON.stringify(exported));
      expect([definition, Object.keys(definition.steps)]).toEqual([document, ids]);
    }
  });

  it("is replaced, listed, found by its short name and deleted with its sessions; others never see it", async () => {
    const graph = graphOf({ root: { function: "utils.request.request", input: {} } }, [], { workflow_id: "asks" });
    const { graph_id } = await story.client.create(graph);
    await expect(story.client.create(graph)).rejects.toMatchObject({ code: "SLUG_TAKEN" });
    const { id } = await story.client.start("asks");
    await story.settle(id);
    const others = story.clientFor(await story.oven.keyFor("admin"));
    const strangers = story.clientFor(await story.oven.keyFor("admin", 2));
    for (const client of [others, strangers]) {
      expect(await client.get(graph_id)).toBeNull();
      expect(await client.list()).toEqual([]);
      expect(await client.getSession(id)).toBeNull();
      const refused = { status: 404 };
      await expect(client.export(graph_id)).rejects.toMatchObject(refused);
      await expect(client.replace(graph_id, graph)).rejects.toMatchObject(refused);
      await expect(client.delete(graph_id)).rejects.toMatchObject(refused);
      await expect(client.start(graph_id)).rejects.toMatchObject(refused);
      await expect(client.listSessions(graph_id)).rejects.toMatchObject(refused);
      await expect(client.getState(id)).rejects.toMatchObject(refused);
      await expect(client.writeState(id, await story.client.getState(id))).rejects.toMatchObject(refused);
      await expect(client.answer(id, "root", {})).rejects.toMatchObject(refused);
      await expect(client.retryStep(id, "root")).rejects.toMatchObject(refused);
      await expect(client.cancelSession(id)).rejects.toMatchObject(refused);
    }
    expect((await story.client.list()).some(({ slug }) => slug === "asks")).toBe(true);
    await expect(story.client.getState("6f76656e-0002-8000-8000-00000000ffff")).rejects.toMatchObject({ status: 404 });
    await story.client.delete("asks");
    expect([await story.client.get(graph_id), await story.client.getSession(id)]).toEqual([null, null]);
  });
});

describe("a graph in Neo4j", () => {
  let bolt: BoltServer;
  const STEPS = [
    ["collect", "test.say", `{"v": "${ref("root.v")}"}`, null],
    ["root", "test.say", '{"v": 1}', "Begins"],
  ];
  const PATHS = [["root", "collect", `[{"variable": "${ref("root.v")}", "operator": "==", "value": 1}]`, "AND", 2]];
  let breaks = false;
  beforeAll(async () => {
    bolt = await startBoltServer((query) => {
      if (breaks) return "Invalid input";
      return query.includes("[n:NEXT]")
        ? { fields: ["from", "to", "conditions", "operator", "priority"], rows: PATHS }
        : { fields: ["id", "function", "input", "description"], rows: STEPS };
    });
  });
  afterAll(async () => {
    delete process.env.OVEN_NEO4J_URL;
    await bolt.close();
  });

  it("is not there where no operator opened one, and all else works [002-086]", async () => {
    delete process.env.OVEN_NEO4J_URL;
    await expect(story.client.importNeo4j()).rejects.toMatchObject({ code: "NEO4J_NOT_CONFIGURED", status: 422 });
    process.env.OVEN_NEO4J_URL = "not an address";
    await expect(story.client.importNeo4j()).rejects.toMatchObject({ code: "NEO4J_NOT_CONFIGURED" });
    expect((await story.run(graphOf({ root: says() }))).status).toBe("completed");
  });

  it("is read through the official driver, and runs [002-085]", async () => {
    process.env.OVEN_NEO4J_URL = `bolt://reader:secret@127.0.0.1:${bolt.port}/graphs`;
    const { graph_id, definition } = await story.client.importNeo4j({ graph: "regions", name: "From Neo4j" });
    expect(definition).toEqual({
      name: "From Neo4j",
      steps: {
        root: { function: "test.say", input: '{"v": 1}', description: "Begins" },
        collect: { function: "test.say", input: `{"v": "${ref("root.v")}"}` },
      },
      next: [
        {
          from: "root",
          to: "collect",
          conditions: `[{"variable": "${ref("root.v")}", "operator": "==", "value": 1}]`,
          operator: "AND",
          priority: 2,
        },
      ],
    });
    expect(Object.keys(definition.steps)).toEqual(["root", "collect"]);
    expect(bolt.logins).toEqual([["reader", "secret"]]);
    expect(bolt.queries.map(({ parameters, mode, database }) => [parameters, mode, database])).toEqual(
      Array(2).fill([{ graph: "regions" }, "r", "graphs"]),
    );
    const done = await story.settle((await story.client.start(graph_id)).id);
    expect(done.state.data.outputs).toEqual({ root: [{ v: 1 }], collect: [{ v: 1 }] });
    // Another tenant's own database is not this one.
    const strangers = story.clientFor(await story.oven.keyFor("admin", 2));
    await expect(strangers.importNeo4j()).rejects.toMatchObject({ code: "NEO4J_NOT_CONFIGURED" });
  });

  it("that cannot be read is told, without the login", async () => {
    breaks = true;
    process.env.OVEN_NEO4J_URL = `bolt://reader:secret@127.0.0.1:${bolt.port}`;
    await expect(story.client.importNeo4j()).rejects.toMatchObject({
      code: "NEO4J_UNREACHABLE",
      status: 503,
      message: expect.stringContaining("Invalid input"),
    });
    process.env.OVEN_NEO4J_URL = `bolt://reader:wrongword@127.0.0.1:${bolt.port}`;
    const told = await story.client.importNeo4j().catch((error: unknown) => JSON.stringify(error) + String(error));
    expect(told).toContain("unauthorized");
    expect(told).not.toContain("wrongword");
  });

  it("is taken from an export, too [002-084]", async () => {
    const entries = [
      { type: "node", id: "0", labels: ["STEP"], properties: { id: "root", function: "test.say", input: '{"v": 1}' } },
      {
        type: "node",
        id: "1",
        labels: ["STEP"],
        properties: { id: "end", function: "test.say", input: `{"v": "${ref("root.v")}"}` },
      },
      { type: "node", id: "2", labels: ["SESSION"], properties: { id: "x", state: "{}" } },
      {
        type: "relationship",
        id: "0",
        label: "NEXT",
        start: { id: "0", labels: ["STEP"] },
        end: { id: "1", labels: ["STEP"] },
        properties: { priority: 1 },
      },
    ];
    const expected = {
      steps: {
        root: { function: "test.say", input: '{"v": 1}' },
        end: { function: "test.say", input: `{"v": "${ref("root.v")}"}` },
      },
      next: [{ ...path("root", "end"), priority: 1 }],
    };
    const lines = entries.map((entry) => JSON.stringify(entry)).join("\n");
    const [nodes, relationships] = [entries.slice(0, 3), entries.slice(3)];
    for (const source of [lines, JSON.stringify(entries), JSON.stringify({ nodes, relationships })])
      expect((await story.client.import(source)).definition).toEqual(expected);
  });
});
