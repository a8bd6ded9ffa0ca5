import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { app, at, chain, edge, end, start } from "./testing/dify-app.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

/** An iteration whose rounds hand on what its code makes of the item. */
const each = (code: string, more: JsonObject = {}): JsonObject =>
  app(
    [
      start({ variable: "rows", type: "json_object", required: true }),
      at("each", {
        ...{ type: "iteration", iterator_selector: ["start", "rows"], output_selector: ["inner", "made"] },
        ...more,
      }),
      at("begin", { type: "iteration-start" }, "each"),
      at(
        "inner",
        {
          ...{ type: "code", code_language: "javascript", code: `function main({ row }) { ${code} }` },
          variables: [{ variable: "row", value_selector: ["each", "item"] }],
          outputs: { made: { type: "array[number]" } },
        },
        "each",
      ),
      end("end", ["all", "each", "output"]),
    ],
    [...chain("start", "each", "end"), edge("begin", "inner")],
  );

describe("the results of an iteration of Dify", () => {
  it.each<[string, string, JsonObject, Json[], Json[]]>([
    ["are one list where all rounds hand on lists", "return { made: [row, [row]] };", {}, [1, 2], [1, [1], 2, [2]]],
    ["stay apart where that is off", "return { made: [row] };", { flatten_output: false }, [1, 2], [[1], [2]]],
    ["stay apart where one is no list", "return { made: row > 1 ? [row] : row };", {}, [1, 2], [1, [2]]],
    ["leave out rounds without a result", "return { made: row > 1 ? [row] : null };", {}, [1, 2], [2]],
    ["stay apart where no round has one", "return { made: null };", {}, [1, 2], [null, null]],
    ["are an empty list where there are no rounds", "return { made: [row] };", {}, [], []],
    [
      "leave out rounds that failed",
      'if (row === 1) throw new Error("one"); return { made: [row] };',
      { error_handle_mode: "continue-on-error" },
      [1, 2, 3],
      [2, 3],
    ],
  ])("%s", async (_what, code, more, rows, expected) => {
    const { status, output, error } = await story.run(each(code, more), { rows });
    expect([status, output, error]).toEqual(["completed", { all: expected }, null]);
  });

  it("are also what a run ends with that nothing follows", async () => {
    const document = each("return { made: [row] };") as { workflow: { graph: JsonObject } }; // cast: as it is made
    const { nodes, edges } = document.workflow.graph as { nodes: JsonObject[]; edges: JsonObject[] }; // cast: as it is made
    const graph = { nodes: nodes.slice(0, -1), edges: edges.filter(({ target }) => target !== "end") };
    const { output } = await story.run({ ...document, workflow: { ...document.workflow, graph } }, { rows: [1, 2] });
    expect(output).toEqual({ output: [1, 2] });
  });
});
