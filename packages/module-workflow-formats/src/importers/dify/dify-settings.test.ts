import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { answer, app, at, chain, chat, edge, end, start, withFeatures } from "./testing/dify-app.ts";

const input = start({ variable: "x", type: "paragraph", required: true }, { variable: "rows", type: "json_object" });
const X = ["start", "x"];
const MODEL = { provider: "openai", name: "gpt-4o", mode: "chat", completion_params: {} };
const USER = [{ role: "user", text: "{{#start.x#}}" }];

const llm = { type: "llm", model: MODEL, prompt_template: USER };
const http = { type: "http-request", method: "post", url: "https://shop.example/" };
const ask = { type: "parameter-extractor", query: X, model: MODEL, parameters: [{ name: "a", type: "string" }] };
const classify = {
  ...{ type: "question-classifier", query_variable_selector: X, model: MODEL },
  classes: [{ id: "1", name: "A" }],
};
const find = { type: "knowledge-retrieval", query_variable_selector: X, dataset_ids: ["d"] };
const agent = { type: "agent", agent_parameters: { query: { type: "constant", value: "{{#start.x#}}" } } };
const condition = (comparison_operator: string, more: JsonObject = {}): JsonObject => ({
  type: "if-else",
  cases: [
    {
      case_id: "1",
      logical_operator: "and",
      conditions: [{ variable_selector: X, comparison_operator, value: "a", varType: "string", ...more }],
    },
  ],
});
const write = (operation: string, value: Json = ["start", "x"]): JsonObject => ({
  type: "assigner",
  items: [{ variable_selector: ["conversation", "list"], operation, input_type: "variable", value }],
});
const human = { type: "human-input", form_content: "Well?", user_actions: [{ id: "yes" }] };
const clock = { type: "tool", provider_id: "time", provider_name: "time", tool_name: "current_time" };
const reader = {
  ...{ type: "tool", provider_id: "langgenius/jina/jina", provider_name: "jina", tool_name: "jina_reader" },
  tool_parameters: { url: { type: "mixed", value: "{{#start.x#}}" } },
};
const retry = { retry_config: { retry_enabled: true, max_retries: 2, retry_interval: 10 } };
const vision = { vision: { enabled: true } };
const memory = { memory: { window: { enabled: true, size: 5 } } };

type Row = [what: string, data: JsonObject, outcome: "mapped" | "noted" | "placeholder", said?: string];
const rows: Row[] = [
  ["llm", llm, "mapped"],
  ["llm: context", { ...llm, context: { enabled: true, variable_selector: X } }, "mapped"],
  ["llm: vision", { ...llm, ...vision }, "noted", "looks at the pictures in $.trigger.files"],
  ["llm: memory between prompts", { ...llm, ...memory }, "noted", "before the message, its last 5 rounds"],
  ["llm: memory window", { ...llm, prompt_template: [], ...memory }, "noted", "its last 5 rounds"],
  [
    "llm: names of roles",
    { ...llm, prompt_template: [], memory: { role_prefix: { user: "Human", assistant: "AI" } } },
    "noted",
    "names of the roles",
  ],
  ["llm: no user prompt", { ...llm, prompt_template: [{ role: "system", text: "a" }] }, "noted", "gets an empty one"],
  [
    "llm: structured output",
    { ...llm, structured_output_enabled: true, structured_output: { schema: { type: "object" } } },
    "mapped",
  ],
  [
    "llm: variables in Jinja",
    {
      ...llm,
      prompt_template: [{ role: "user", edition_type: "jinja2", jinja2_text: "{{ x }}" }],
      prompt_config: { jinja2_variables: [{ variable: "x", value_selector: X }] },
    },
    "mapped",
  ],
  [
    "llm: a program in Jinja",
    { ...llm, prompt_template: [{ role: "user", edition_type: "jinja2", jinja2_text: "{% if a %}{% endif %}" }] },
    "placeholder",
    "more than fill in variables",
  ],
  [
    "llm: settings of the model",
    { ...llm, model: { ...MODEL, completion_params: { stop: ["a"], temperature: 9, seed: 1 } } },
    "noted",
    "were not imported: stop, temperature.",
  ],
  ["llm: history in a prompt", { ...llm, prompt_template: [{ role: "user", text: "{{#histories#}}" }] }, "placeholder"],
  ["llm: retry", { ...llm, ...retry }, "noted", "tries again after each failure"],
  ["llm: fail branch", { ...llm, error_strategy: "fail-branch" }, "mapped"],
  ["llm: default value", { ...llm, error_strategy: "default-value" }, "mapped"],
  ["classifier", classify, "mapped"],
  ["classifier: memory", { ...classify, ...memory }, "noted", "the conversation before the text"],
  ["classifier: vision", { ...classify, ...vision }, "noted", "looks at the pictures"],
  ["extractor", { ...ask, instruction: "Look", reasoning_mode: "function_call" }, "mapped"],
  ["extractor: by a prompt", { ...ask, reasoning_mode: "prompt" }, "noted", "a prompt of its own"],
  ["agent", agent, "mapped"],
  ["agent: memory", { ...agent, ...memory }, "noted", "the conversation before the text"],
  ["agent: another strategy", { ...agent, agent_strategy_name: "TOD" }, "placeholder", "its strategy is TOD"],
  [
    "agent: tools of a server",
    { ...agent, agent_parameters: { ...agent.agent_parameters, mcp_server: { value: "https://mcp.example" } } },
    "noted",
    "has to be connected with the name mcp-example",
  ],
  [
    "agent: parameters of a strategy",
    { ...agent, agent_parameters: { ...agent.agent_parameters, depth: { value: 3 } } },
    "noted",
    "were not imported: depth",
  ],
  ["knowledge", find, "noted", "Make a vector store"],
  ["knowledge: pictures", { ...find, query_attachment_selector: ["start", "rows"] }, "noted", "by pictures"],
  ["http", http, "noted", "An answer in JSON"],
  ["http: binary", { ...http, body: { type: "binary", data: [{ file: X }] } }, "placeholder", "of the kind binary"],
  [
    "http: a file",
    { ...http, body: { type: "form-data", data: [{ key: "f", type: "file", file: X }] } },
    "placeholder",
    "it sends files",
  ],
  ["http: a parameter twice", { ...http, params: "a:1\na:2" }, "placeholder", "stands twice"],
  ["http: a computed name", { ...http, headers: "{{#start.x#}}:1" }, "placeholder", "is computed"],
  ["http: certificates", { ...http, ssl_verify: false }, "noted", "Certificates are always checked"],
  ["http: connecting", { ...http, timeout: { connect: 5 } }, "noted", "limits for connecting"],
  [
    "http: basic",
    { ...http, authorization: { type: "api-key", config: { type: "basic", api_key: "a:b" } } },
    "noted",
    "base64 of user:password",
  ],
  [
    "http: bare variables",
    { ...http, body: { type: "json", data: '{"a": {{#start.x#}}}' } },
    "noted",
    "Dify reads its text as JSON",
  ],
  ["http: another method", { ...http, method: "options" }, "placeholder", "OPTIONS"],
  ["if-else: in", condition("in", { value: ["a"] }), "mapped"],
  ["if-else: not in", condition("not in", { value: ["a"] }), "mapped"],
  ["if-else: in a text", condition("in"), "placeholder", "no list"],
  ["if-else: all of", condition("all of", { value: ["a"] }), "placeholder", "all of"],
  ["if-else: before", condition("before"), "placeholder", "before"],
  [
    "if-else: files",
    condition("contains", { sub_variable_condition: { case_id: "1", conditions: [] } }),
    "placeholder",
    "does not compare one variable",
  ],
  ["assigner: over-write", write("over-write"), "noted", "last as long as the run"],
  ["assigner: clear", write("clear"), "noted"],
  ["assigner: append", write("append"), "noted"],
  ...["extend", "-=", "*=", "/=", "remove-first", "remove-last"].map(
    (operation): Row => [`assigner: ${operation}`, write(operation), "placeholder", `by “${operation}”`],
  ),
  ["aggregator", { type: "variable-aggregator", variables: [X] }, "mapped"],
  ["human input", human, "noted", "Say in `assignees`"],
  ["human input: a time", { ...human, timeout: 3, timeout_unit: "day" }, "noted", "after a time"],
  ["human input: a form", { ...human, inputs: [{ type: "text" }] }, "placeholder", "a form of its own"],
  ["code", { type: "code", code: "1", code_language: "ruby" }, "placeholder", "its code is ruby"],
  ["tool: a format", { ...clock, tool_configurations: { format: "%U" } }, "placeholder", "writes the time as %U"],
  ["tool: a setting", { ...reader, tool_configurations: { summary: 1 } }, "placeholder", "its setting summary"],
  ["tool: a branch", { ...clock, error_strategy: "fail-branch" }, "placeholder", "it is two steps here"],
  ["tool", { type: "tool", tool_name: "t", provider_name: "p" }, "placeholder", "of the plugin p"],
  ["list operator", { type: "list-operator" }, "placeholder", "it names no list"],
];

describe("what a node of Dify is set to", () => {
  it.each(rows)("is carried over or said: %s", async (_what, data, outcome, said = "") => {
    const variables = [{ name: "list", value_type: "array[string]", value: [] }];
    const [nodes, edges] = [[input, at("it", data), end("end")], chain("start", "it", "end")];
    const features = { file_upload: { enabled: true } };
    const document = withFeatures("memory" in data ? chat(nodes, edges) : app(nodes, edges, variables), features);
    const { report } = await readForeign(JSON.stringify(document));
    const element = report.elements.find(({ name }) => name === "it");
    expect([element?.outcome, element?.notes.join("\n")]).toEqual([outcome, expect.stringContaining(said)]);
  });

  const each = (more: JsonObject, inner: JsonObject = { type: "template-transform", template: "a" }) =>
    app(
      [
        input,
        at("it", {
          ...{ type: "iteration", iterator_selector: ["start", "rows"], output_selector: ["in", "output"] },
          ...{ start_node_id: "begin", ...more },
        }),
        at("begin", { type: "iteration-start" }, "it"),
        at("in", inner, "it"),
        end("end"),
      ],
      [...chain("start", "it", "end"), edge("begin", "in")],
      [{ name: "list", value_type: "array[string]", value: [] }],
    );

  it.each<[string, JsonObject, string, JsonObject | string]>([
    ["one by one", each({}), "mapped", { maxIterations: 1_000 }],
    ["at once", each({ is_parallel: true, parallel_nums: 3 }), "mapped", { concurrency: 3 }],
    ["at once, as many as Dify takes", each({ is_parallel: true }), "mapped", { concurrency: 10 }],
    ["going on", each({ error_handle_mode: "continue-on-error" }), "mapped", { continueOnError: true }],
    ["leaving out", each({ error_handle_mode: "remove-abnormal-output" }), "mapped", { continueOnError: true }],
    ["writing at once", each({ is_parallel: true }, write("append")), "placeholder", "write variables"],
  ])("of an iteration: %s", async (_what, document, outcome, expected) => {
    const { report, definition } = await readForeign(JSON.stringify(document));
    const element = report.elements.find(({ name }) => name === "it");
    expect(element?.outcome).toBe(outcome);
    if (typeof expected === "string") expect(element?.notes.join()).toContain(expected);
    else expect(definition).toMatchObject({ states: { it: { loop: expected } } });
  });
});

it("a request of Dify sends a secret variable of the app as a secret", async () => {
  const sent = at("it", { ...http, params: "a:1\ntoken:{{#env.KEY#}}\nmore:{{#env.OPEN#}}" });
  const document = app([input, sent, end("end")], chain("start", "it", "end")) as { workflow: JsonObject }; // cast: as it is made
  const environment_variables = [
    { name: "KEY", value_type: "secret", value: "s" },
    { name: "OPEN", value_type: "string", value: "o" },
  ];
  const workflow = { ...document.workflow, environment_variables };
  const { definition, report } = await readForeign(JSON.stringify({ ...document, workflow }));
  const query = { a: "1", token: { $secret: "key" }, more: "{{ $.env_OPEN }}" };
  expect(definition).toMatchObject({ states: { it: { invoke: { input: { query } } } } });
  expect(report.settings.map(({ kind, name }) => `${kind} ${name}`)).toContain("credential key");
});

describe("a request of Dify", () => {
  let story: ImportStory;
  beforeAll(async () => {
    story = await startImports();
  });
  beforeEach(() => {
    story.shop.asked = [];
    story.shop.statuses = [];
  });
  afterAll(() => story.stop());

  const send = async (more: JsonObject) => {
    const number = { variable: "n", type: "number", required: true };
    const nodes = [
      start(number, { variable: "x", type: "text-input" }),
      at("ask", { ...http, url: `${story.shop.origin}/`, ...more }),
      end("end", ["status", "ask", "status_code"]),
    ];
    const { status, error } = await story.run(app(nodes, chain("start", "ask", "end")), { n: 5 });
    expect([status, error]).toEqual(["completed", null]);
    const [asked] = story.shop.asked;
    return { ...asked, type: String(asked?.headers["content-type"]).split(";")[0] };
  };
  const fields = (type: string): JsonObject => ({
    body: {
      type,
      data: [
        { key: "a b", type: "text", value: "{{#start.n#}}&" },
        { key: "none", type: "text", value: "{{#start.x#}}" },
      ],
    },
  });

  it("sends a form, whose empty fields stay", async () => {
    expect(await send(fields("x-www-form-urlencoded"))).toMatchObject({
      type: "application/x-www-form-urlencoded",
      body: "a+b=5%26&none=",
    });
  });

  it("sends a form of parts", async () => {
    const { type, body } = await send(fields("form-data"));
    expect(type).toBe("multipart/form-data");
    expect(body).toContain('name="a b"\r\n\r\n5&\r\n');
    expect(body).toContain('name="none"\r\n\r\n\r\n');
  });

  it("sends a form as the first versions write it", async () => {
    const data = "a:{{#start.n#}}\nb";
    expect((await send({ body: { type: "x-www-form-urlencoded", data } })).body).toBe("a=5&b=");
  });

  it("sends text, and JSON with texts in quotes and values without", async () => {
    expect(await send({ body: { type: "raw-text", data: "{{#start.n#}}" } })).toMatchObject({
      type: "text/plain",
      body: "5",
    });
    story.shop.asked = [];
    const data = '{"text": "{{#start.n#}}", "value": {{#start.n#}}, "none": {{#start.x#}}, "path": "$.a"}';
    const { body = "" } = await send({ body: { type: "json", data: [{ value: data }] } });
    expect(JSON.parse(body)).toEqual({ text: "5", value: 5, none: null, path: "$.a" });
  });

  it("sends JSON that its variables make only", async () => {
    const data = '{"list": [{{#start.n#}}{{#start.n#}}, 6], "text": "a\nb"}';
    const { body = "", type } = await send({ body: { type: "json", data: [{ value: data }] } });
    expect([type, JSON.parse(body)]).toEqual(["application/json", { list: [55, 6], text: "a\nb" }]);
  });

  it("has parameters and headers with nothing in them", async () => {
    const { url, headers } = await send({ params: "a:{{#start.x#}}\nn:{{#start.n#}}", headers: "X-One\nX-Two:2" });
    expect(url).toBe("/?a=&n=5");
    expect([headers?.["x-one"], headers?.["x-two"]]).toEqual(["", "2"]);
  });

  it("hands its error on to the branch for failures", async () => {
    const nodes = [
      start(),
      at("ask", { ...http, url: `${story.shop.origin}/`, error_strategy: "fail-branch" }),
      answer("good", "Good"),
      answer("bad", "{{#ask.error_type#}}: {{#ask.error_message#}}"),
    ];
    const edges = [edge("start", "ask"), edge("ask", "good"), edge("ask", "bad", "fail-branch")];
    story.shop.statuses = [404];
    const { output } = await story.run(chat(nodes, edges), { message: "x" });
    expect(output).toEqual({ text: expect.stringMatching(/^HTTP_STATUS: .*404/) });
  });
});
