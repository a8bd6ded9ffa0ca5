import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shootIn } from "./editor-looks.ts";
import { EditorPage } from "./editor-page.ts";
import { seriousIssues } from "./page-checks.ts";

describe("the values of a run where one builds", () => {
  let editor: EditorPage;
  let page: Page;
  let id: number;

  beforeAll(async () => {
    editor = await EditorPage.start();
    page = editor.page;
    id = await editor.create("agent-workflows", "Greets", {
      initial: "compose",
      payloadSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      states: {
        compose: {
          invoke: { src: "core.transform", input: { mapping: { text: "Hi {{ $.trigger.name }}" } }, onDone: "log" },
        },
        log: { invoke: { src: "core.log", input: { message: "$.compose_output.text" }, onDone: "done" } },
        done: { type: "final" },
      },
    });
    await editor.oven.call("POST", `agent-workflows/${id}/execute?wait=30`, { input: { name: "Ann" } });
    await editor.open("agent-workflows", id);
  });
  afterAll(async () => {
    await editor?.close();
  });

  const newest = async () => {
    const { body } = await editor.oven.call(
      "GET",
      `agent-workflow-executions?filter=${encodeURIComponent(JSON.stringify({ agentWorkflowId: id }))}&sort=${encodeURIComponent('["id","DESC"]')}`,
    );
    return (await editor.oven.call("GET", `agent-workflow-executions/${body[0].id}`)).body;
  };
  const message = async () => (await editor.draftOf("agent-workflows", id)).states.log.invoke.input.message;

  it("stand beside each field, and are dragged into it", async () => {
    await editor.card("log").click();
    await editor.panel().getByText("Last value: Hi Ann", { exact: true }).waitFor();
    await editor.panel().getByRole("button", { name: "Values of the last run" }).click();
    const value = editor.panel().locator("[draggable=true]").filter({ hasText: "$.trigger.name" }).first();
    await value.getByText("Ann", { exact: true }).waitFor();
    await value.dragTo(editor.panel().getByText("Message", { exact: true }));
    await editor.saved();
    await expect.poll(message).toBe("{{ $.compose_output.text }} {{ $.trigger.name }}");
    await editor.panel().getByText("Last value: Hi Ann Ann", { exact: true }).waitFor();
    await shootIn(editor, "editor-last-values");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("are what one step is run alone with", async () => {
    await editor.card("log").click();
    await editor.panel().getByRole("tab", { name: "Last run" }).click();
    await shootIn(editor, "editor-run-alone");
    const before = (await newest()).id;
    await editor.panel().getByRole("button", { name: "Run this step alone" }).click();
    await expect.poll(async () => (await newest()).id).toBeGreaterThan(before);
    await expect.poll(async () => (await newest()).status).toBe("completed");
    const run = await newest();
    expect(run.outcome).toBe("partial");
    const ran = run.nodes.filter((node: { nodeId: string }) => node.nodeId === "log");
    expect(ran.map((node: { input: unknown }) => node.input)).toMatchObject([{ message: "Hi Ann Ann" }]);
    expect(run.input).toEqual({ name: "Ann" });
  });

  it("are pinned, so that the next run takes them", async () => {
    await editor.card("compose").click();
    await editor.panel().getByRole("tab", { name: "Last run" }).click();
    // The newest run is the one of the step alone: it has gone by here, too.
    await expect
      .poll(() => editor.panel().getByLabel("Run that values are taken from").inputValue())
      .toBe(String((await newest()).id));
    await editor.panel().getByRole("button", { name: "Pin the result" }).click();
    await editor.panel().getByRole("button", { name: "Unpin the result" }).waitFor();
    await expect
      .poll(async () => (await editor.oven.call("GET", `agent-workflows/${id}/test-data`)).body.pins)
      .toMatchObject({ compose: { output: { text: "Hi Ann" } } });
  });

  it("are those of one item of a loop, which its step is run alone with", async () => {
    const looped = await editor.create("agent-workflows", "Loops", {
      initial: "each",
      states: {
        each: {
          loop: {
            type: "forEach",
            collection: ["one", "two", "three"],
            bodyInitial: "make",
            bodyStates: {
              make: { invoke: { src: "core.transform", input: { mapping: { text: "{{ $.item }}!" } }, onDone: "say" } },
              say: { invoke: { src: "core.log", input: { message: "$.make_output.text" }, onDone: "end" } },
              end: { type: "final" },
            },
            onDone: "done",
          },
        },
        done: { type: "final" },
      },
    });
    const runs = async () =>
      (
        await editor.oven.call("GET", `agent-workflow-executions?sort=${encodeURIComponent('["id","DESC"]')}`)
      ).body.filter((run: { agentWorkflowId: number }) => run.agentWorkflowId === looped);
    await editor.oven.call("POST", `agent-workflows/${looped}/execute?wait=30`, { input: {} });
    await editor.open("agent-workflows", looped);
    await editor.card("say").click();
    await editor.panel().getByRole("tab", { name: "Last run" }).click();
    await editor.panel().getByLabel("Item of each").selectOption({ label: "2/3 two" });
    await shootIn(editor, "editor-run-item");
    await editor.panel().getByRole("button", { name: "Run this step alone" }).click();
    await expect
      .poll(async () => (await runs()).map(({ status }: { status: string }) => status))
      .toEqual(["completed", "completed"]);
    const [{ id: ran }] = await runs();
    const { outcome, nodes } = (await editor.oven.call("GET", `agent-workflow-executions/${ran}`)).body;
    expect(outcome).toBe("partial");
    const said = nodes.filter(({ nodeId }: { nodeId: string }) => nodeId === "say");
    expect(said.map(({ input }: { input: unknown }) => input)).toMatchObject([{ message: "two!" }]);
    // What stood before it in the item was not called again.
    expect(nodes.map(({ nodeType }: { nodeType: string }) => nodeType)).toContain("core.pinned");
    // The item is still the one that was chosen, now of this run.
    await expect.poll(() => editor.panel().getByLabel("Item of each").inputValue()).toBe("1");
  });

  it("a dry run is a button, and calls nobody", async () => {
    const dry = await editor.create("agent-workflows", "Calls", {
      initial: "call",
      states: {
        // Refused when it is called: the address is not public.
        call: { invoke: { src: "core.http", input: { url: "http://127.0.0.1:1/" }, onDone: "done" } },
        done: { type: "final" },
      },
    });
    await editor.open("agent-workflows", dry);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("form", { name: "Input of the run" }).getByRole("button", { name: "Dry run" }).click();
    await editor.badge("call").waitFor();
    const runs = async () =>
      (await editor.oven.call("GET", "agent-workflow-executions")).body.filter(
        (run: { agentWorkflowId: number }) => run.agentWorkflowId === dry,
      );
    await expect.poll(async () => (await runs())[0]?.status).toBe("completed");
    await shootIn(editor, "editor-dry-run");
    // The same for real.
    await page.getByRole("form", { name: "Input of the run" }).getByRole("button", { name: "Run the draft" }).click();
    await expect
      .poll(async () => (await runs()).map(({ status }: { status: string }) => status).sort())
      .toEqual(["completed", "failed"]);
    expect(editor.faults(/status of (401|404)/)).toEqual([]);
  });
});
