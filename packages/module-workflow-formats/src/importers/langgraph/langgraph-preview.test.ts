import { expect, it } from "vitest";
import { expectOnlyPlaceholdersOpen, startImports } from "../../importing/testing/import-story.ts";
import { documentAt } from "../../importing/testing/read-imports.ts";

it("a graph of LangGraph is previewed with what validates", async () => {
  const story = await startImports();
  try {
    await expectOnlyPlaceholdersOpen(story, documentAt("testing/langgraph-react.json", import.meta.url));
    expect((await story.call("GET", "agent-workflows")).body).toEqual([]);
  } finally {
    await story.stop();
  }
});
