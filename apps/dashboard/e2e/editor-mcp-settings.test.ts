import { afterAll, beforeAll, expect, it } from "vitest";
import { EditorPage, EMPTY } from "./editor-page.ts";

let editor: EditorPage;

beforeAll(async () => {
  editor = await EditorPage.start();
});
afterAll(() => editor?.close());

it("sets among the workflow's settings whether a run ends with the call of its MCP client", async () => {
  const { page } = editor;
  const id = await editor.create("agent-workflows", "Offered", { ...EMPTY, mcp: { cancelOnAbort: true } });
  await editor.open("agent-workflows", id);
  const settings = page.getByRole("complementary", { name: "Settings of the workflow" });
  await settings.getByText("When the client that called it cancels the call.").waitFor();
  await settings.getByRole("switch", { name: "Cancel the run with the call" }).uncheck();
  await editor.saved();
  expect(await editor.draftOf("agent-workflows", id)).toMatchObject({ mcp: { cancelOnAbort: false } });
});
