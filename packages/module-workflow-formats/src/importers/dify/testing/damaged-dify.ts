import type { Json } from "@oven/contract";
import type { Damage } from "../../../importing/testing/damaged-documents.ts";

const edge = (source: string, target: string): Json => ({ source, target, sourceHandle: "source" });

export const SOUND: Json = {
  kind: "app",
  app: { name: "Sound", mode: "workflow", description: "" },
  workflow: {
    graph: {
      nodes: [
        { id: "s", data: { type: "start", title: "Start" } },
        { id: "t", data: { type: "template-transform", title: "Text", template: "x", variables: [] } },
        { id: "e", data: { type: "end", title: "End", outputs: [] } },
      ],
      edges: [edge("s", "t"), edge("t", "e")],
    },
  },
};

const GRAPH = "$.workflow.graph";

export const DAMAGED: readonly Damage[] = [
  ["$.kind", "plugin"],
  ["$.kind", 1],
  ["$.kind", null],
  ["$.app", "Sound"],
  ["$.app", null],
  ["$.app", []],
  ["$.app.name", 7],
  ["$.app.name", []],
  ["$.app.description", 7],
  ["$.app.mode", "chat"],
  ["$.app.mode", "agent-chat"],
  ["$.app.mode", "completion"],
  ["$.app.mode", ""],
  ["$.app.mode", null],
  ["$.app.mode", undefined, "$.app.mode"],
  ["$.workflow", null],
  ["$.workflow", "none"],
  ["$.workflow", []],
  [GRAPH, null],
  [GRAPH, []],
  [GRAPH, "none"],
  [`${GRAPH}.nodes`, {}],
  [`${GRAPH}.nodes`, []],
  [`${GRAPH}.nodes`, "s"],
  [`${GRAPH}.nodes[0]`, "s"],
  [`${GRAPH}.nodes[0]`, null],
  [`${GRAPH}.nodes[0].id`, ""],
  [`${GRAPH}.nodes[0].id`, 1],
  [`${GRAPH}.nodes[0].id`, null],
  [`${GRAPH}.nodes[1].id`, "s"],
  [`${GRAPH}.nodes[1].data`, "none"],
  [`${GRAPH}.nodes[1].data`, null],
  [`${GRAPH}.nodes[1].data`, []],
  [`${GRAPH}.nodes[1].data.type`, 4],
  [`${GRAPH}.nodes[1].data.type`, null],
  [`${GRAPH}.nodes[1].data.title`, 4],
  [`${GRAPH}.nodes[1].data.desc`, []],
  [`${GRAPH}.nodes[1].position`, [1, 2]],
  [`${GRAPH}.nodes[1].position`, { x: "1", y: 2 }, `${GRAPH}.nodes[1].position.x`],
  [`${GRAPH}.nodes[1].parentId`, 5],
  [`${GRAPH}.nodes[0].data.type`, "end", `${GRAPH}.nodes`],
  [`${GRAPH}.edges`, {}],
  [`${GRAPH}.edges`, "none"],
  [`${GRAPH}.edges`, null],
  [`${GRAPH}.edges`, [], `${GRAPH}.nodes[0]`],
  [`${GRAPH}.edges[0]`, "s-t"],
  [`${GRAPH}.edges[0].source`, 1],
  [`${GRAPH}.edges[0].source`, "nobody"],
  [`${GRAPH}.edges[0].target`, "nobody"],
  [`${GRAPH}.edges[0].target`, null],
  [`${GRAPH}.edges[1].target`, "__proto__"],
  [`${GRAPH}.edges[1].sourceHandle`, 2],
  ["$.workflow.environment_variables", "none"],
  ["$.workflow.environment_variables", [{ value: 1 }], "$.workflow.environment_variables[0].name"],
  ["$.workflow.conversation_variables", [{ name: "" }], "$.workflow.conversation_variables[0].name"],
];
