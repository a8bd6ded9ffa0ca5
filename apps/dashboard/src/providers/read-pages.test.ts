import { createApiClient } from "@oven/ui/api/api-client.ts";
import { readPages } from "@oven/ui/api/read-pages.ts";
import { expect, it } from "vitest";
import { createDataProvider } from "./data-provider.ts";

/** A list that answers at most 400 rows at once, whatever is asked for. */
function listOf(total: number, asked: string[], run: object = {}) {
  return createApiClient(async (input) => {
    const url = new URL(String(input), "http://oven.test");
    asked.push(`${url.pathname}${url.search}`);
    if (!url.searchParams.has("range")) return Response.json(run);
    const [first] = JSON.parse(url.searchParams.get("range") ?? "[0,0]");
    const rows = Array.from({ length: Math.max(0, Math.min(400, total - first)) }, (_, index) => ({
      id: first + index,
    }));
    return Response.json(rows, { headers: { "content-range": `nodes ${first}-${first + rows.length - 1}/${total}` } });
  });
}

it("reads a list to its end where an answer has fewer rows than were asked for", async () => {
  const asked: string[] = [];
  const rows = await readPages<{ id: number }>(listOf(1_001, asked), "workflow-executions/7/nodes");
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 1_001 }, (_, index) => index));
  expect(asked).toHaveLength(3);
});

it("shows a run with all its node runs when its row has the newest only", async () => {
  const asked: string[] = [];
  const run = { id: 7, nodes: [{ id: 600 }], nodesTotal: 601 };
  const provider = createDataProvider(listOf(601, asked, run));
  const { data } = await provider.getOne("workflow-executions", { id: 7 });
  expect(data.nodes).toHaveLength(601);
  const whole = createDataProvider(listOf(0, [], { id: 8, nodes: [{ id: 1 }] }));
  expect((await whole.getOne("workflow-executions", { id: 8 })).data.nodes).toEqual([{ id: 1 }]);
});
