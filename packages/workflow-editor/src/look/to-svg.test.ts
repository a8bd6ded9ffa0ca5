import { describe, expect, it } from "vitest";
import { toGraph } from "../graph/to-graph.ts";
import { placeNodes } from "../layout/placement.ts";
import { type PictureColours, toSvg } from "./to-svg.ts";

const COLOURS: PictureColours = {
  canvas: "#fff",
  surface: "#fff",
  sunken: "#eee",
  border: "#ccc",
  text: "#000",
  muted: "#777",
  edge: "#888",
  failed: "#b00",
  completed: "#0a0",
  kind: { model: "#1", tool: "#2", memory: "#3", human: "#4", data: "#5", flow: "#6", child: "#7" },
};

describe("a picture of a graph", () => {
  const definition = {
    initial: "a",
    states: {
      a: { label: 'Ask <b> & "go"', invoke: { src: "agent.llm", onDone: "g", onError: "end" } },
      g: { initial: "i", states: { i: { always: "j" }, j: {} }, onDone: "end" },
      end: { type: "final" },
    },
  };
  const model = toGraph(definition);
  const picture = toSvg(model, placeNodes(model, null), new Map(), COLOURS);

  it("holds every state and line, and what people wrote as text only", () => {
    expect(picture.svg).toContain("Ask &lt;b&gt; &amp; &quot;go&quot;");
    expect(picture.svg.match(/<path d="M/g)?.length).toBeGreaterThanOrEqual(model.edges.length);
    for (const label of ["g · Group", ">i<", ">j<", ">end<", ">error<"]) expect(picture.svg).toContain(label);
  });

  it("is as large as what it shows", () => {
    expect(picture.width).toBeGreaterThan(236 * 3);
    expect(picture.svg).toContain(`width="${picture.width}" height="${picture.height}"`);
  });
});
