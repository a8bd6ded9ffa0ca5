import type { JsonObject } from "@oven/contract";
import type { RoutedEdge, RoutedGraphSpec, RoutedNode } from "@oven/contract/formats/routed.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { end, next, type RoutedStory, startRouted, use } from "./testing/routed-story.ts";
import { TWO_N_CHAT } from "./testing/two-n-chat.ts";

let story: RoutedStory;
beforeAll(async () => {
  story = await startRouted();
});
afterAll(() => story.oven.stop());

const call = (method: string, path: string, body?: unknown, key = story.key) =>
  story.oven.call(method, path, body, { key });

/** `[name, agent]`; without an agent it runs tools. */
function graph(
  id: string,
  nodes: [string, string | null][],
  edges: [string, string | null, string | null][],
  more = {},
) {
  const nodeId = (name: string) => `n-${name}`;
  return {
    ...{ id, name: id, description: "", isConversational: false, entrypointNodeId: nodeId(nodes[0]?.[0] ?? "") },
    nodes: nodes.map(
      ([nodeName, agentId]): RoutedNode => ({
        ...{ id: nodeId(nodeName), workflowId: id, nodeName, agentId },
        nodeType: agentId === null ? "TOOL_EXECUTOR" : "AGENT",
      }),
    ),
    edges: edges.map(
      ([from, to, value], index): RoutedEdge => ({
        ...{ id: `e-${index + 1}`, workflowId: id, sourceNodeId: nodeId(from), targetNodeId: to && nodeId(to) },
        ...{ conditionType: value === null ? "ALWAYS" : "CONDITIONAL", conditionValue: value },
      }),
    ),
    ...more,
  } satisfies RoutedGraphSpec;
}

async function talk(spec: RoutedGraphSpec, replies: Parameters<RoutedStory["talk"]>[1]) {
  await story.client.put(spec);
  const done = await story.talk(spec.id, replies);
  return { ...done, nodes: await story.nodesOf(done.executions[0]) };
}

/** Of a document with one thing changed. */
async function problemOf(change: (spec: RoutedGraphSpec) => void): Promise<{ path: string; message: string }> {
  const spec = structuredClone(GOOD);
  change(spec);
  const { status, body } = await call("POST", "routed-graphs", { source: JSON.stringify(spec) });
  expect(status, JSON.stringify(body)).toBe(422);
  return body.error;
}

const GOOD = graph(
  "good",
  [
    ["A", "plain"],
    ["B", "agent-uuid-rc2"],
    ["tools", null],
  ],
  [
    ["A", "B", "B"],
    ["A", null, "END"],
    ["B", "tools", "tools"],
    ["B", "A", "A"],
    ["tools", "B", null],
  ],
);
const nodeAt = (spec: RoutedGraphSpec, index: number) => spec.nodes[index] ?? ({} as RoutedNode); // cast: it is there
const edgeAt = (spec: RoutedGraphSpec, index: number) => spec.edges[index] ?? ({} as RoutedEdge); // cast: it is there

describe("a document", () => {
  it("is answered field by field as it was written, under its own ids, and exported again [003-001] [003-002] [003-003] [003-004] [003-005] [003-007] [003-020] [003-022] [003-029]", async () => {
    const made = await story.client.put(GOOD);
    const { agentWorkflowId, version, createdAt, updatedAt, ...document } = made;
    expect(document).toEqual(GOOD);
    expect(await story.client.export("good")).toEqual(GOOD);
    expect(await story.client.list()).toContainEqual(made);
    expect((await call("GET", "workflow-formats/routed-graph")).body).toContainEqual(
      expect.objectContaining({ id: "good", agent_workflow_id: agentWorkflowId }),
    );
  });

  it.each<[string, string, RegExp, (spec: RoutedGraphSpec) => void]>([
    [
      "[003-005]",
      "$.entrypointNodeId",
      /no node "nobody"/,
      (spec) => Object.assign(spec, { entrypointNodeId: "nobody" }),
    ],
    [
      "[003-008]",
      "$.nodes[1].id",
      /"n-A" is the id of \$\.nodes\[0\]/,
      (spec) => Object.assign(nodeAt(spec, 1), { id: "n-A" }),
    ],
    [
      "[003-009]",
      "$.nodes[1].workflowId",
      /"other"/,
      (spec) => Object.assign(nodeAt(spec, 1), { workflowId: "other" }),
    ],
    [
      "[003-010]",
      "$.nodes[1].nodeType",
      /"AGENT"\|"TOOL_EXECUTOR"/,
      (spec) => Object.assign(nodeAt(spec, 1), { nodeType: "X" }),
    ],
    [
      "[003-011]",
      "$.nodes[1].nodeName",
      /"A" is the nodeName/,
      (spec) => Object.assign(nodeAt(spec, 1), { nodeName: "A" }),
    ],
    [
      "[003-012]",
      "$.nodes[0].agentId",
      /A names no agent/,
      (spec) => Object.assign(nodeAt(spec, 0), { agentId: null }),
    ],
    [
      "[003-012]",
      "$.nodes[2].agentId",
      /runs tools and has no agent/,
      (spec) => Object.assign(nodeAt(spec, 2), { agentId: "plain" }),
    ],
    [
      "[003-027]",
      "$.nodes[0].agentId",
      /"plane" of A does not exist/,
      (spec) => Object.assign(nodeAt(spec, 0), { agentId: "plane" }),
    ],
    ["[003-013]", "$.edges[1].id", /"e-1" is the id/, (spec) => Object.assign(edgeAt(spec, 1), { id: "e-1" })],
    [
      "[003-014]",
      "$.edges[1].workflowId",
      /"other"/,
      (spec) => Object.assign(edgeAt(spec, 1), { workflowId: "other" }),
    ],
    [
      "[003-015]",
      "$.edges[0].sourceNodeId",
      /e-1 names the node "x"/,
      (spec) => Object.assign(edgeAt(spec, 0), { sourceNodeId: "x" }),
    ],
    [
      "[003-016]",
      "$.edges[0].targetNodeId",
      /e-1 leads nowhere/,
      (spec) => Object.assign(edgeAt(spec, 0), { targetNodeId: null }),
    ],
    [
      "[003-017]",
      "$.edges[0].conditionType",
      /"CONDITIONAL"\|"ALWAYS"/,
      (spec) => Object.assign(edgeAt(spec, 0), { conditionType: "X" }),
    ],
    [
      "[003-018]",
      "$.edges[0].conditionValue",
      /CONDITIONAL without a value/,
      (spec) => Object.assign(edgeAt(spec, 0), { conditionValue: null }),
    ],
    [
      "[003-018]",
      "$.edges[4].conditionValue",
      /ALWAYS, so it has no value/,
      (spec) => Object.assign(edgeAt(spec, 4), { conditionValue: "B" }),
    ],
    [
      "[003-019]",
      "$.edges[3]",
      /e-3 and e-4 leave the same node and have both the value "tools"/,
      (spec) => Object.assign(edgeAt(spec, 3), { conditionValue: "tools" }),
    ],
    [
      "[003-064]",
      "$.edges[5]",
      /e-5 and e-6 leave the same node and are both ALWAYS/,
      (spec) => spec.edges.push({ ...edgeAt(spec, 4), id: "e-6" }),
    ],
    [
      "[003-057]",
      "$.nodes",
      /B has tools, and no node runs them/,
      (spec) => {
        spec.nodes.pop();
        spec.edges = spec.edges.filter(
          ({ sourceNodeId, targetNodeId }) => ![sourceNodeId, targetNodeId].includes("n-tools"),
        );
      },
    ],
    [
      "[003-059]",
      "$.nodes[1]",
      /B has tools, and no edge to a tool executor/,
      (spec) => {
        Object.assign(edgeAt(spec, 2), { sourceNodeId: "n-A" });
      },
    ],
    [
      "reach",
      "$.nodes[1]",
      /No way leads from the entry point to B/,
      (spec) => Object.assign(edgeAt(spec, 0), { targetNodeId: "n-A" }),
    ],
    ["entry", "$.entrypointNodeId", /tools runs tools/, (spec) => Object.assign(spec, { entrypointNodeId: "n-tools" })],
    [
      "misspelt",
      "$.edges[0].conditionvalue",
      /no field "conditionvalue"/,
      (spec) => Object.assign(edgeAt(spec, 0), { conditionvalue: "B" }),
    ],
  ])("that is wrong is refused at its place: %s %s", async (_, path, message, change) => {
    const told = await problemOf(change);
    expect(told).toMatchObject({ code: "SOURCE_INVALID", details: { line: expect.any(Number) } });
    const problems = (told as unknown as { details: { problems: { path: string; message: string }[] } }).details
      .problems; // cast: the wire
    expect(problems.find((problem) => problem.path === path)?.message, JSON.stringify(problems)).toMatch(message);
  });

  it("is put in the place of the one with its id: nothing doubled, what is left out is gone, the same changes nothing [003-021] [003-023] [003-024] [003-026]", async () => {
    const spec = graph(
      "again",
      [
        ["A", "plain"],
        ["B", "other"],
      ],
      [
        ["A", "B", "B"],
        ["A", null, "END"],
        ["B", null, "END"],
      ],
    );
    const made = await story.client.put(spec);
    expect((await story.client.put(spec)).version).toBe(made.version);
    const changed = await story.client.put({ ...spec, description: "Another", stepLimit: 7 });
    expect([changed.agentWorkflowId, changed.version]).toEqual([made.agentWorkflowId, made.version + 1]);
    expect((await story.client.list()).filter(({ id }) => id === "again")).toHaveLength(1);
    const smaller = await story.client.put({ ...spec, nodes: spec.nodes.slice(0, 1), edges: spec.edges.slice(1, 2) });
    expect([smaller.nodes.length, smaller.edges.length]).toEqual([1, 1]);
    const { body } = await call("GET", `agent-workflows/${made.agentWorkflowId}`);
    expect(Object.keys(body.definition.states.graph.states)).toEqual(["A", "resume_here"]);
    await story.client.delete("again");
    expect(await story.client.get("again")).toBeNull();
    expect((await call("GET", `agent-workflows/${made.agentWorkflowId}`)).status).toBe(404);
  });

  it("belongs to whoever wrote it, and is sent to its own address", async () => {
    await story.client.put(GOOD);
    const other = await story.oven.keyFor("admin");
    expect(await story.clientFor(other).get("good")).toBeNull();
    expect((await call("PUT", "routed-graphs/bad", GOOD)).body.error.path).toBe("$.id");
    const viewer = await story.oven.keyFor("viewer");
    expect((await call("PUT", "routed-graphs/good", GOOD, viewer)).status).toBe(403);
  });
});

describe("2nChat", () => {
  it("as printed is refused naming edges 15, 16 and 17, with a repair that makes it run [003-037]", async () => {
    const source = JSON.stringify(TWO_N_CHAT, null, 2);
    const { status, body } = await call("POST", "routed-graphs", { source });
    expect([status, body.error.code]).toEqual([422, "SOURCE_INVALID"]);
    const edges = body.error.details.problems.map(
      ({ message }: { message: string }) => /edge-uuid-\d+/.exec(message)?.[0],
    );
    expect(edges).toEqual(["edge-uuid-15", "edge-uuid-16", "edge-uuid-17"]);
    const common = { workflowId: "2nChat", sourceNodeId: "node-uuid-6", conditionType: "CONDITIONAL" };
    expect(body.error.details.repair).toEqual({
      add: {
        nodes: [
          {
            ...{ id: "node-uuid-6", workflowId: "2nChat", nodeType: "AGENT" },
            ...{ nodeName: "externalSearchCaller", agentId: "agent-uuid-external-search" },
          },
        ],
        edges: [
          { ...common, id: "edge-uuid-19", targetNodeId: "node-uuid-1", conditionValue: "Router" },
          { ...common, id: "edge-uuid-20", targetNodeId: null, conditionValue: "END" },
        ],
      },
    });
    expect((await story.client.import(source, true)).nodes).toHaveLength(6);
  });

  it("has its nodes, begins at its router, and every one of its ways is taken [003-006] [003-030] [003-031] [003-032] [003-033] [003-034] [003-035] [003-036] [003-038]", async () => {
    const { nodes } = await story.client.import(JSON.stringify(TWO_N_CHAT), true);
    expect(nodes.map(({ id, nodeName, agentId }) => [id, nodeName, agentId])).toEqual([
      ["node-uuid-1", "Router", "agent-uuid-router"],
      ["node-uuid-2", "RC2", "agent-uuid-rc2"],
      ["node-uuid-3", "DM2", "agent-uuid-dm2"],
      ["node-uuid-4", "2N", "agent-uuid-2n"],
      ["node-uuid-5", "tool_executor", null],
      ["node-uuid-6", "externalSearchCaller", "agent-uuid-external-search"],
    ]);
    const ways = async (replies: Parameters<RoutedStory["talk"]>[1]) => {
      const done = await story.talk("2nChat", replies);
      expect(done.status, JSON.stringify(done.handoffReason)).toBe("completed");
      return (await story.nodesOf(done.executions[0])).join(" > ");
    };
    const tool = use("internal_lookup");
    expect(await ways([end("a")])).toBe("Router");
    expect(await ways([tool, end("a")])).toBe("Router > tool_executor > Router");
    for (const [worker, state] of [
      ["RC2", "RC2"],
      ["DM2", "DM2"],
      ["2N", "agent_2N"],
    ] as const) {
      expect(await ways([next(worker), next("Router"), end("a")])).toBe(`Router > ${state} > Router`);
      expect(await ways([next(worker), next("END")])).toBe(`Router > ${state}`);
      // Back to the router, not to whoever asked.
      expect(await ways([next(worker), tool, end("a")])).toBe(`Router > ${state} > tool_executor > Router`);
    }
    expect(await ways([next("externalSearchCaller"), use("external_research"), next("Router"), end("a")])).toBe(
      "Router > externalSearchCaller > tool_executor > externalSearchCaller > Router",
    );
    expect(await ways([next("externalSearchCaller"), tool, end("a")])).toBe(
      "Router > externalSearchCaller > tool_executor > Router",
    );
  });

  it("asks each agent with its own prompt and tools, its own values, and the tool and the word to end [003-051] [003-052] [003-070]", async () => {
    await story.client.import(JSON.stringify(TWO_N_CHAT), true);
    await story.talk("2nChat", [next("RC2"), end("Bye.")]);
    expect(story.asked.map(({ agent, tools }) => [agent, tools])).toEqual([
      ["Router", ["internal_lookup", "set_next", "end"]],
      ["RC2", ["broken_lookup", "internal_lookup", "set_next", "end"]],
    ]);
    expect(story.asked[0]?.system).toContain("RC2, DM2, 2N, tool_executor, END, externalSearchCaller");
    expect(story.asked[1]?.system).toContain("one of: Router, tool_executor, END");
    for (const { system } of story.asked) expect(system).toContain("call the tool end");
  });
});

describe("routing", () => {
  const PAIR: [string, string | null][] = [
    ["A", "plain"],
    ["B", "other"],
  ];

  it("is by the value of an edge, which need not be a name, and exact [003-039] [003-040] [003-042]", async () => {
    const spec = graph("values", PAIR, [
      ["A", "B", "research"],
      ["A", null, "END"],
      ["B", null, "END"],
    ]);
    expect(await talk(spec, [next("research"), next("END")])).toMatchObject({ status: "completed", nodes: ["A", "B"] });
    for (const value of ["Research", "research "]) {
      const wrong = await talk(spec, [next(value)]);
      expect(wrong, value).toMatchObject({ status: "paused", nodes: ["A", "human_handoff"] });
      expect(wrong.handoffReason).toBe(`no edge: A named ${value}; its ways are research, END`);
    }
  });

  it("needs no router: lines, trees, meshes and cycles run, and ALWAYS is the way where nothing else is said [003-043] [003-044] [003-045] [003-048]", async () => {
    const line = graph("line", PAIR, [
      ["A", "B", null],
      ["B", null, "END"],
    ]);
    expect((await talk(line, [{ text: "a" }, next("END")])).nodes).toEqual(["A", "B"]);
    const [X, Y, Z] = ["X", "Y", "Z"].map((name): [string, string] => [name, "plain"]);
    if (X === undefined || Y === undefined || Z === undefined) throw new Error("unreachable");
    const tree = graph(
      "tree",
      [X, Y, Z],
      [
        ["X", "Y", "Y"],
        ["X", "Z", "Z"],
        ["Y", null, "END"],
        ["Z", null, "END"],
      ],
    );
    expect((await talk(tree, [next("Z"), next("END")])).nodes).toEqual(["X", "Z"]);
    const all = ["X", "Y", "Z"];
    const mesh = graph(
      "mesh",
      [X, Y, Z],
      [
        ...all.flatMap((from) => all.filter((to) => to !== from).map((to): [string, string, string] => [from, to, to])),
        ...all.map((from): [string, null, string] => [from, null, "END"]),
      ],
    );
    const run = await talk(mesh, [next("Z"), next("Y"), next("X"), next("END")]);
    expect([run.status, run.nodes]).toEqual(["completed", ["X", "Z", "Y", "X"]]);
  });

  it("keeps `next` and the messages where every checkpoint shows them [003-047]", async () => {
    const spec = graph("shared", PAIR, [
      ["A", "B", "B"],
      ["B", null, "END"],
    ]);
    const { executions } = await talk(spec, [next("B"), next("END")]);
    const { body } = await call("GET", `agent-workflow-executions/${executions[0]}`);
    expect(body.context).toMatchObject({ next: "END", messages: { length: 5 } });
  });

  it("that leads nowhere goes to a person, and one that says nothing is an error [003-046] [003-050]", async () => {
    const spec = graph("nowhere", PAIR, [
      ["A", "B", "B"],
      ["B", null, "END"],
    ]);
    expect((await talk(spec, [next("END")])).handoffReason).toBe("A ended, and has no edge with the value END");
    const silent = await talk(spec, [{ text: "Well." }]);
    expect(silent).toMatchObject({ status: "failed", error: expect.stringContaining("A named nobody to go on") });
  });

  it("ends by an END edge, without a tool for it outside of conversations [003-049] [003-053]", async () => {
    const spec = graph("ends", PAIR, [
      ["A", "B", "B"],
      ["A", null, "END"],
      ["B", null, "END"],
    ]);
    expect(await talk(spec, [next("END")])).toMatchObject({ status: "completed", nodes: ["A"], next: "END" });
    expect(story.asked[0]?.tools).toEqual(["set_next"]);
    expect(story.asked[0]?.system).not.toContain("tool end");
  });

  it("ends a conversation by its tool, which no executor runs; other calls beside it run first [003-054] [003-055] [003-056]", async () => {
    const spec = graph(
      "talks",
      [
        ["A", "agent-uuid-rc2"],
        ["tools", null],
      ],
      [
        ["A", "tools", "t"],
        ["A", null, "END"],
      ],
      {
        isConversational: true,
      },
    );
    expect(await talk(spec, [end("Bye.")])).toMatchObject({ status: "completed", nodes: ["A"] });
    const both = {
      toolCalls: [
        { id: "e1", name: "end", arguments: {} },
        { id: "t0", name: "internal_lookup", arguments: {} },
      ],
    };
    const run = await talk(spec, [both, end("Bye.")]);
    expect([run.status, run.nodes]).toEqual(["completed", ["A", "tools", "A"]]);
    const { body } = await call("GET", `agent-workflow-executions/${run.executions[0]}`);
    const ran = body.nodes.filter(({ item }: JsonObject) => item !== null);
    expect(ran.map(({ nodeType }: JsonObject) => nodeType)).toEqual(["internal_lookup"]);
  });
});

describe("the tool executor", () => {
  const NODES: [string, string | null][] = [
    ["A", "agent-uuid-rc2"],
    ["B", "agent-uuid-external-search"],
    ["tools", null],
  ];
  const TO_TOOLS: [string, string, string][] = [
    ["A", "tools", "t"],
    ["B", "tools", "t"],
  ];

  it("without edges of its own answers whoever asked, and nothing is added to the document [003-058] [003-060] [003-065] [003-066] [003-069]", async () => {
    const spec = graph("tier3", NODES, [...TO_TOOLS, ["A", "B", "B"], ["A", null, "END"], ["B", null, "END"]]);
    const tool = use("internal_lookup");
    const run = await talk(spec, [tool, next("B"), use("external_research"), next("END")]);
    expect([run.status, run.nodes]).toEqual(["completed", ["A", "tools", "A", "B", "tools", "B"]]);
    expect(JSON.stringify(story.asked[1]?.body.messages)).toContain("the archive");
    expect(JSON.stringify(story.asked[3]?.body.messages)).toContain("the wide world");
    expect(await story.client.export("tier3")).toEqual(spec);
  });

  it("follows the edge of the tool, then ALWAYS; of several tools the last that has an edge decides [003-041] [003-062] [003-063] [003-067]", async () => {
    const spec = graph("tiers", NODES, [
      ...TO_TOOLS,
      ...([
        ["A", "B", "B"],
        ["A", null, "END"],
        ["B", null, "END"],
      ] as [string, string | null, string][]),
      ...([
        ["tools", "A", "external_research"],
        ["tools", "B", null],
      ] as [string, string, string | null][]),
    ]);
    const ways = async (...tools: string[]) => (await talk(spec, [next("B"), use(...tools), next("END")])).nodes;
    expect(await ways("external_research")).toEqual(["A", "B", "tools", "A"]);
    expect(await ways("internal_lookup")).toEqual(["A", "B", "tools", "B"]);
    expect(await ways("external_research", "internal_lookup")).toEqual(["A", "B", "tools", "A"]);
  });

  it("goes on after a tool that failed, whose error the agent hears [003-068]", async () => {
    const spec = graph(
      "fails",
      [
        ["A", "agent-uuid-rc2"],
        ["tools", null],
      ],
      [
        ["A", "tools", "t"],
        ["A", null, "END"],
        ["tools", "A", "broken_lookup"],
      ],
    );
    const run = await talk(spec, [use("broken_lookup"), next("END")]);
    expect([run.status, run.nodes]).toEqual(["completed", ["A", "tools", "A"]]);
    expect(JSON.stringify(story.asked[1]?.body.messages)).toContain("the archive is closed");
  });
});

describe("a hand-off to a person", () => {
  const LOOP = (id: string, more = {}) =>
    graph(
      id,
      [
        ["A", "agent-uuid-rc2"],
        ["tools", null],
      ],
      [
        ["A", "tools", "t"],
        ["A", null, "END"],
      ],
      more,
    );
  const endless = Array.from({ length: 40 }, () => use("internal_lookup"));
  const reviewOf = async (execution: number | undefined) =>
    (await call("GET", `reviews?filter={"executionId":${execution},"status":"open"}`)).body[0];
  const decide = (id: number, decision: object) => call("POST", `reviews/${id}/decide`, decision);

  it("comes after 15 nodes, or as many as the graph says [003-072] [003-073] [003-077]", async () => {
    const run = await talk(LOOP("fifteen"), endless);
    expect([run.status, run.handoffReason]).toEqual(["paused", "step limit: 15 nodes have run in this turn"]);
    expect(run.nodes.filter((node) => node !== "human_handoff")).toHaveLength(15);
    const four = await talk(LOOP("four", { stepLimit: 4 }), endless);
    expect(four.nodes).toEqual(["A", "tools", "A", "tools", "human_handoff"]);
  });

  it("comes when a turn takes too long: the call is given up [003-075] [003-076] [003-077]", async () => {
    const run = await talk(LOOP("slow", { timeoutSeconds: 1 }), [{ text: "One two", stallAfter: 1 }]);
    expect([run.status, run.nodes.at(-1)]).toEqual(["paused", "human_handoff"]);
    expect(run.handoffReason).toContain("longer than 1 seconds");
    await expect.poll(() => story.oven.server.requests.at(-1)?.aborted).toBe(true);
    const { body } = await call("GET", `agent-workflows/${(await story.client.put(LOOP("ninety"))).agentWorkflowId}`);
    expect(Object.keys(body.definition.states.graph.after)).toEqual(["90000"]);
  });

  it("comes when the same route is taken again with nothing new since [003-077] [003-078]", async () => {
    const spec = graph(
      "cycle",
      [
        ["A", "plain"],
        ["B", "other"],
      ],
      [
        ["A", "B", "B"],
        ["B", "A", "A"],
        ["A", null, "END"],
      ],
    );
    const run = await talk(spec, [next("B"), next("A"), next("B")]);
    expect([run.status, run.nodes]).toEqual(["paused", ["A", "B", "A", "human_handoff"]]);
    expect(run.handoffReason).toBe("cycle: from A to B again, with nothing new");
  });

  it("shows the conversation and the reason; a person lets it go on where it was, answers it, or ends it [003-079] [003-080] [003-081]", async () => {
    const spec = LOOP("person", { stepLimit: 2 });
    const run = await talk(spec, endless);
    const review = await reviewOf(run.executions[0]);
    expect(review).toMatchObject({
      title: "A needs a person: step limit: 2 nodes have run in this turn",
      context: {
        reason: expect.stringContaining("step limit"),
        conversation: [{ role: "user", content: "Hello" }, {}, {}],
      },
    });
    story.replies.splice(0, story.replies.length, next("END"));
    expect((await decide(review.id, { action: "approve" })).status).toBe(200);
    await expect.poll(async () => (await story.client.getConversation(run.id))?.status).toBe("completed");
    // In the node that was left, with a fresh count.
    const nodes = await story.nodesOf(run.executions[0]);
    expect(nodes.slice(0, 3)).toEqual(["A", "tools", "human_handoff"]);
    expect(nodes.length).toBeGreaterThan(3);

    const answered = await talk(spec, endless);
    await decide((await reviewOf(answered.executions[0])).id, { action: "edit", data: { answer: "It is 42." } });
    await expect.poll(async () => (await story.client.getConversation(answered.id))?.status).toBe("completed");
    expect((await story.client.getConversation(answered.id))?.messages.at(-1)).toEqual({
      role: "assistant",
      content: "It is 42.",
    });

    const ended = await talk(spec, endless);
    await decide((await reviewOf(ended.executions[0])).id, { action: "reject", reason: "Enough" });
    await expect.poll(async () => (await story.client.getConversation(ended.id))?.status).toBe("completed");
    expect((await story.nodesOf(ended.executions[0])).at(-1)).toBe("human_handoff");
  });
});

describe("a conversation", () => {
  const TALK = graph(
    "turns",
    [
      ["A", "agent-uuid-rc2"],
      ["tools", null],
    ],
    [
      ["A", "tools", "t"],
      ["A", null, "END"],
    ],
    {
      ...{ isConversational: true, stepLimit: 6 },
    },
  );

  it("goes on over several turns with its history; limits count anew in each [003-083] [003-084]", async () => {
    const four = [use("internal_lookup"), use("internal_lookup"), end("First.")];
    const first = await talk(TALK, four);
    expect([first.status, first.nodes.length]).toEqual(["completed", 5]);
    story.replies.push(use("internal_lookup"), use("internal_lookup"), { text: "Second." });
    await story.client.say(first.id, "And then?");
    const second = await story.settle(first.id);
    expect([second.status, second.executions.length, second.handoffReason]).toEqual(["completed", 2, null]);
    const sent = story.asked.at(-1)?.body.messages as { role: string; content: string }[]; // cast: the wire
    expect(sent.filter(({ role }) => role === "user").map(({ content }) => content)).toEqual(["Hello", "And then?"]);
    expect(JSON.stringify(sent)).toContain("First.");
    expect((await story.client.listConversations("turns"))[0]?.id).toBe(first.id);
  });

  it("takes one message at a time, and keeps the graph it began a turn with [003-028]", async () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    await story.client.put(TALK);
    story.replies.splice(0, story.replies.length, { text: "Slow", gate: { after: 0, opened } }, end("Done."));
    const { id } = await story.client.start("turns", "Hello");
    const busy = await call("POST", `routed-conversations/${id}/messages`, { message: "Well?" });
    expect([busy.status, busy.body.error.code]).toEqual([409, "CONVERSATION_BUSY"]);
    await story.client.put({ ...TALK, nodes: [{ ...nodeAt(TALK, 0), agentId: "other" }], edges: TALK.edges.slice(1) });
    open();
    expect((await story.settle(id)).status).toBe("completed");
    expect(story.asked.at(-1)?.agent).toBe("RC2");
  });
});
