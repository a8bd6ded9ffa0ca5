import { installedModules } from "@oven/installation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";

// biome-ignore lint/suspicious/noExplicitAny: each tool answers its own shape
type Answer = any;

const target = "agent-workflow:order-triage";
const exact = (value: string) => ({ type: "exact", path: "$.queue", value });
const asks = (message: string) => ({ message, orderId: 8841 });

describe("datasets of test cases, over MCP", () => {
  let endpoint: McpEndpoint;
  let client: Awaited<ReturnType<McpEndpoint["connect"]>>;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: true }) });
    client = await endpoint.connect("oven");
  });
  afterAll(() => endpoint.close());

  async function ask(name: string, given: object): Promise<{ answer: Answer; error: string | undefined }> {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: { ...given } });
    const [said] = content as { text: string }[]; // cast: our tools answer text
    return { answer: structuredContent, error: isError === true ? said?.text : undefined };
  }
  async function call(name: string, given: object): Promise<Answer> {
    const { answer, error } = await ask(name, given);
    expect(error).toBeUndefined();
    return answer;
  }

  it("are made, filled, read, changed and run", async () => {
    const cases = [
      { name: "late", input: asks("My parcel has not arrived!"), expectations: [exact("urgent")], tags: ["mail"] },
      { name: "flour", input: asks("Is there rye flour in it?"), expectations: [exact("nowhere")] },
    ];
    const made = await call("save_eval_dataset", { name: "Triage again", target, cases });
    expect(made).toMatchObject({ slug: "triage-again", cases: 2, allows_effects: false });
    const { dataset_id } = made;
    const page = await call("get_eval_dataset", { dataset_id: "triage-again", limit: 1 });
    expect(page).toMatchObject({ listed: [{ ...cases[0], enabled: true }], next_offset: 1 });
    const { listed } = await call("get_eval_dataset", { dataset_id, case: "flour" });
    expect(listed).toMatchObject([cases[1]]);
    // What was read is changed and sent back; by its name it is the same case.
    const [flour] = listed;
    const changed = { ...flour, expectations: [exact("questions")], tags: ["mail"] };
    const more = { name: "off", input: asks("?"), enabled: false };
    const saved = await call("save_eval_dataset", { dataset_id, timeout_seconds: 60, cases: [changed, more] });
    expect(saved).toMatchObject({ cases: 3, name: "Triage again" });
    const { body } = await endpoint.oven.call("GET", `eval-cases?filter={"datasetId":${dataset_id}}&sort=["id","ASC"]`);
    expect(body).toMatchObject([cases[0], { ...changed, id: expect.any(Number) }, { ...more, expectations: [] }]);
    expect((await endpoint.oven.call("GET", `eval-datasets/${dataset_id}`)).body.timeoutMs).toBe(60_000);
    const { eval_run_id } = await call("run_eval", { dataset_id });
    await expect
      .poll(async () => call("get_eval_run", { eval_run_id }), { timeout: 30_000 })
      .toMatchObject({ status: "completed", cases: 2, errors: 0 });
  });

  it("show long cases cut, and one of them in full", async () => {
    const long = { name: "long", input: asks("x".repeat(1_000)) };
    const { dataset_id } = await call("save_eval_dataset", { name: "Long", target, cases: [long] });
    const cut = await call("get_eval_dataset", { dataset_id });
    expect(cut.listed[0].input).toMatch(/… \(\d+ characters; `case` has all of it\)$/);
    expect((await call("get_eval_dataset", { dataset_id, case: "long" })).listed[0].input).toEqual(long.input);
  });

  it("are refused as over REST, with the place; and what was made is named", async () => {
    const refused = async (given: object) => (await ask("save_eval_dataset", given)).error;
    expect(await refused({ name: "x", target: "agent-workflow:no-such-one" })).toContain("NOT_FOUND");
    expect(await refused({ name: "x", target: "nothing" })).toMatch(/TOOL_INPUT_INVALID.*target/);
    expect(await refused({ name: "x" })).toMatch(/INVALID_REQUEST.*`target`/);
    const wrong = { name: "wrong", input: {}, expectations: [{ type: "exact" }] };
    expect(await refused({ name: "Wrong", target, cases: [wrong] })).toMatch(/TOOL_INPUT_INVALID.*cases/);
    expect((await call("list_eval_datasets", { words: "Wrong" })).datasets).toEqual([]);
    // A pattern is read when it is saved.
    const unreadable = { name: "bad", input: {}, expectations: [{ type: "matches", pattern: "(" }] };
    const good = { name: "good", input: {} };
    const error = await refused({ name: "Wrong", target, cases: [good, unreadable] });
    const [{ dataset_id, cases }] = (await call("list_eval_datasets", { words: "Wrong" })).datasets;
    expect(error).toMatch(/INVALID_EXPECTATION/);
    expect(error).toContain(`\`dataset_id\` ${dataset_id}`);
    expect(cases).toBe(0);
  });

  it("that allow effects are changed by people: a client would decide by a script what it runs itself", async () => {
    const { body } = await endpoint.oven.call("POST", "eval-datasets", {
      name: "With effects",
      target: { kind: "agent-workflow", id: "order-triage" },
      allowEffects: true,
    });
    const { id: dataset_id } = body;
    const deciding = { name: "one", input: {}, decisions: [{ action: "approve" }] };
    for (const given of [{ cases: [deciding] }, { name: "Other" }])
      expect((await ask("save_eval_dataset", { dataset_id, ...given })).error).toMatch(/FORBIDDEN.*effects/);
    expect(await call("get_eval_dataset", { dataset_id })).toMatchObject({
      ...{ name: "With effects", allows_effects: true, cases: 0 },
    });
    expect((await ask("save_eval_dataset", { name: "x", target, allow_effects: true })).error).toContain("INVALID");
  });

  it("are offered to those who may see or change them", async () => {
    const namesOf = async (permissions: string[]) => {
      const other = await endpoint.connect("oven", { key: await endpoint.keyWith(permissions) });
      return (await other.listTools()).tools.map(({ name }) => name).filter((name) => name.includes("eval"));
    };
    expect(await namesOf(["evals.read"])).toEqual(["get_eval_dataset", "list_eval_datasets", "get_eval_run"]);
    expect(await namesOf(["evals.read", "evals.create"])).not.toContain("save_eval_dataset");
    expect(await namesOf(["evals.read", "evals.create", "evals.update"])).toContain("save_eval_dataset");
  });
});
