import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { createRuntime } from "@oven/module-registry";
import { type ModelReply, type RecordedRequest, startModelServer, startTestOven, type TestOven } from "@oven/testing";
import { installedModules } from "../../modules.ts";
import { type Charset, encodeText } from "./charsets.ts";
import { readWritten, type Written, WrittenNumber, writtenAt } from "./exact-json.ts";
import { startMailWay } from "./mail-way.ts";
import { type Outside, startOutside } from "./outside.ts";
import type { BorderValue } from "./values.ts";

/** What became of values that were sent together, by name. */
export type Outcome =
  | { type: "came"; seen: { where: string; values: Written | undefined }[] }
  /** `names` are those of the values it is about; none: not known. */
  | { type: "refused"; code: string; message: string; names: string[] };

/** One way into a run. */
export interface Way {
  name: string;
  takes(value: BorderValue): boolean;
  /** All values at once, each under its name. */
  send(values: ReadonlyMap<string, BorderValue>): Promise<Outcome>;
}

const MODEL = "openai:house";
const json = { "content-type": "application/json" };
const bothTypes = { ...json, accept: "application/json, text/event-stream" };
const always = () => true;
/** Text that has bytes: half of a surrogate pair has none. */
const isText = ({ kind, source }: BorderValue) =>
  (kind === "text" || kind === "date") && (JSON.parse(source) as string).isWellFormed(); // cast: the JSON of a text

const toObject = (values: ReadonlyMap<string, BorderValue>) =>
  `{${[...values].map(([name, { source }]) => `${JSON.stringify(name)}:${source}`).join(",")}}`;

function charsetOf(values: ReadonlyMap<string, BorderValue>, text: string): { bytes: Uint8Array; charset: Charset } {
  for (const { charset } of values.values()) {
    const bytes = encodeText(text, charset);
    if (bytes !== undefined) return { bytes, charset };
  }
  return { bytes: Buffer.from(text), charset: "utf-8" };
}

/** A mark at the beginning says what the text is in, and is no part of it. */
const isBody = (value: BorderValue) => isText(value) && textOf(value) !== "" && !textOf(value).startsWith("\uFEFF");
const textOf = ({ source }: BorderValue) => JSON.parse(source) as string; // cast: of a text or date
const percent = (bytes: Uint8Array) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** An installation with a workflow for each way in, and what is outside of it. */
export async function startWays(): Promise<{
  ways: Way[];
  schemaWay: (source: string) => Promise<Outcome>;
  stop(): Promise<void>;
}> {
  const outside = await startOutside();
  const mail = await startMailWay();
  const replies: ModelReply[] = [];
  const models = await startModelServer(() => replies.shift() ?? { text: "done" }, { models: ["house"] });
  const oven = await startTestOven({
    createRuntime,
    modules: installedModules({ demo: false, mail: mail.settings }),
    environment: {
      variables: { OPENAI_BASE_URL: models.url },
      outboundAllow: [outside.origin, new URL(models.url).origin],
    },
  });
  const make = async (path: string, body: object) => {
    const answer = await oven.call("POST", path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await makeWorkflows(oven, make, outside);
  await mail.make(oven, make);
  const { id: passes } = (await oven.call("GET", "agent-workflows/passes")).body;
  const target = { kind: "agent-workflow", workflowId: passes };
  const config = { response: { mode: "wait", seconds: 60 } };
  const hook = await make("triggers", { type: "webhook", name: "Hook", target, config });
  const form = await make("triggers", { type: "form", name: "Form", target });

  /** A request to the API, and what it answered as it is written. */
  const ask = async (path: string, init: RequestInit) => {
    const response = await oven.fetch(path, { method: "POST", ...init });
    return { status: response.status, text: await response.text() };
  };
  const run = async (slug: string, input: string): Promise<{ outcome?: Outcome; run: Written }> => {
    const { status, text } = await ask(`agent-workflows/${slug}/execute?wait=60`, {
      headers: json,
      body: `{"input":${input}}`,
    });
    const written = readWritten(text);
    if (status >= 300) return { outcome: refusal(status, writtenAt(written, "error")), run: null };
    if (writtenAt(written, "status") !== "completed")
      return { outcome: refusal(0, writtenAt(written, "errorInfo")), run: written };
    return { run: written };
  };
  /** What a run of `passes` has and handed on. */
  const seenOf = async (written: Written): Promise<Outcome> => {
    const id = Number(toText(writtenAt(written, "id")));
    const exported = await (await oven.fetch(`agent-workflow-executions/${id}/export`)).text();
    const found = findTrigger(readWritten(exported));
    return {
      type: "came",
      seen: [
        { where: "output", values: writtenAt(written, "output", "given") },
        { where: "export", values: found },
        { where: "outgoing request", values: readWritten(outside.taken.at(-1) ?? "null") },
      ],
    };
  };

  const passesThrough = (name: string, takes: Way["takes"], send: Way["send"]): Way => ({
    name,
    takes,
    send: (values) => {
      outside.taken.length = 0;
      replies.length = 0;
      return send(values);
    },
  });
  const posted = (body: Uint8Array | string, headers: Record<string, string>) =>
    oven.handle(
      new Request(`http://localhost:3000/api/hooks/${hook.token}`, { method: "POST", body: body as never, headers }),
    ); // cast: as fetch takes it
  const answered = async (response: Response, ...keys: string[]): Promise<Outcome> => {
    const written = readWritten(await response.text());
    if (response.status !== 200) return refusal(response.status, writtenAt(written, "error"));
    if (writtenAt(written, "status") !== "completed") return refusal(0, undefined);
    const sent = readWritten(outside.taken.at(-1) ?? "null");
    return {
      type: "came",
      seen: [
        { where: "webhook answer", values: writtenAt(written, "output", "given", ...keys) },
        { where: "outgoing request", values: writtenAt(sent, ...keys) },
      ],
    };
  };

  // The first request tells the name that a model knows the tool by.
  await run("loops", "{}");
  const [first] = models.requests;
  const toolName = first === undefined ? "none" : wireName(first);

  const ways: Way[] = [
    passesThrough("REST", always, async (values) => {
      const { outcome, run: written } = await run("passes", toObject(values));
      return outcome ?? seenOf(written);
    }),
    passesThrough("mail of a review", always, async (values) => {
      const { status, text } = await ask("agent-workflows/asks/execute?wait=60", {
        headers: json,
        body: `{"input":${toObject(values)}}`,
      });
      const written = readWritten(text);
      if (status >= 300) return refusal(status, writtenAt(written, "error"));
      if (writtenAt(written, "status") !== "paused") return refusal(0, writtenAt(written, "errorInfo"));
      const came = await mail.read(toText(writtenAt(written, "id")));
      return came === undefined
        ? { type: "refused", code: "SHORTENED", message: "the mail says that it is shortened", names: [] }
        : { type: "came", seen: [{ where: "mail", values: came }] };
    }),
    passesThrough("webhook JSON", always, async (values) => {
      const { bytes, charset } = charsetOf(values, toObject(values));
      return answered(await posted(bytes, { "content-type": `application/json; charset=${charset}` }), "body");
    }),
    passesThrough("webhook form", isText, async (values) => {
      const pairs = [...values].map(([name, value]) => ({ name, text: textOf(value) }));
      const { charset } = charsetOf(values, pairs.map(({ text }) => text).join(""));
      const body = pairs.map(({ name, text }) => `${name}=${percent(withoutMark(text, charset))}`).join("&");
      return answered(
        await posted(body, { "content-type": `application/x-www-form-urlencoded; charset=${charset}` }),
        "body",
      );
    }),
    passesThrough("webhook multipart", isText, async (values) => {
      // Written out: FormData makes each line break \r\n before it sends anything.
      const boundary = randomUUID();
      const parts = [...values].map(
        ([name, value]) =>
          `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${textOf(value)}\r\n`,
      );
      const body = Buffer.from(`${parts.join("")}--${boundary}--\r\n`);
      return answered(await posted(body, { "content-type": `multipart/form-data; boundary=${boundary}` }), "body");
    }),
    passesThrough("webhook text", isBody, async (values) => {
      const [[name, value] = ["", undefined]] = values;
      if (value === undefined || values.size > 1)
        return { type: "refused", code: "ONE_AT_A_TIME", message: "", names: [] };
      const { bytes, charset } = charsetOf(values, textOf(value));
      const outcome = await answered(await posted(bytes, { "content-type": `text/plain; charset=${charset}` }), "body");
      if (outcome.type === "refused") return outcome;
      return {
        type: "came",
        seen: outcome.seen.map(({ where, values: came }) => ({ where, values: { [name]: came ?? null } })),
      };
    }),
    passesThrough("form", always, async (values) => {
      const body = `{"submission":"${randomUUID()}","values":${toObject(values)}}`;
      const { status, text } = await ask(`forms/${form.token}`, { headers: json, body });
      if (status >= 300) return refusal(status, writtenAt(readWritten(text), "error"));
      const sent = await until(() => outside.taken.at(-1));
      return { type: "came", seen: [{ where: "outgoing request", values: readWritten(sent) }] };
    }),
    passesThrough("answer of HTTP", always, async (values) => {
      const { bytes, charset } = charsetOf(values, toObject(values));
      outside.give = { bytes, contentType: `application/json; charset=${charset}` };
      const { outcome, run: written } = await run("fetches", "{}");
      return outcome ?? { type: "came", seen: [{ where: "output", values: writtenAt(written, "output", "given") }] };
    }),
    passesThrough("call over MCP", always, async (values) => {
      const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"passes","arguments":${toObject(values)}}}`;
      const { text } = await ask("mcp/passes", { headers: bothTypes, body: message });
      const written = readWritten(text.replace(/^[\s\S]*?^data: /m, ""));
      const error = writtenAt(written, "error");
      if (error !== undefined)
        return refusal(400, writtenAt(error, "data") ?? error, toText(writtenAt(error, "message")));
      const content = writtenAt(written, "result", "structuredContent");
      if (writtenAt(content ?? null, "status") !== "completed")
        return refusal(0, writtenAt(content ?? null, "error"), text);
      return {
        type: "came",
        seen: [
          { where: "MCP result", values: writtenAt(content ?? null, "output", "given") },
          { where: "outgoing request", values: readWritten(outside.taken.at(-1) ?? "null") },
        ],
      };
    }),
    passesThrough("result of an MCP tool", always, async (values) => {
      outside.structured = toObject(values);
      const { outcome, run: written } = await run("uses-tool", "{}");
      outside.structured = "{}";
      return outcome ?? { type: "came", seen: [{ where: "output", values: writtenAt(written, "output", "given") }] };
    }),
    passesThrough("model's object", always, async (values) => {
      replies.push({ text: toObject(values) });
      const { outcome, run: written } = await run("structured", "{}");
      return outcome ?? { type: "came", seen: [{ where: "output", values: writtenAt(written, "output", "given") }] };
    }),
    passesThrough("model's tool call", always, async (values) => {
      replies.push({ toolCalls: [{ name: toolName, rawArguments: toObject(values) }] });
      const { outcome } = await run("loops", "{}");
      if (outcome !== undefined) return outcome;
      const call = outside.taken.at(-1);
      if (call === undefined) return refusalIn(models.requests.at(-1));
      return {
        type: "came",
        seen: [{ where: "arguments", values: writtenAt(readWritten(call), "params", "arguments") }],
      };
    }),
  ];
  let definitions = 0;
  /** A schema comes in within a definition, and out with it. */
  async function schemaWay(source: string): Promise<Outcome> {
    const slug = `schema-${++definitions}`;
    const definition = `{"payloadSchema":${source},"initial":"done","states":{"done":{"type":"final"}}}`;
    const body = `{"name":"Schema","slug":"${slug}","definition":${definition}}`;
    const { status, text } = await ask("agent-workflows", { headers: json, body });
    if (status >= 300) return refusal(status, writtenAt(readWritten(text), "error"));
    const read = await (await oven.fetch(`agent-workflows/${slug}`)).text();
    return {
      type: "came",
      seen: [
        { where: "definition", values: { v0: writtenAt(readWritten(read), "definition", "payloadSchema") ?? null } },
      ],
    };
  }

  return {
    ways,
    schemaWay,
    async stop() {
      await oven.stop();
      await models.close();
      await outside.close();
      await mail.stop();
    },
  };
}

async function makeWorkflows(
  oven: TestOven,
  make: (path: string, body: object) => Promise<{ id: number }>,
  outside: Outside,
) {
  const { id } = await make("mcp-connections", {
    name: "outside",
    url: `${outside.origin}/mcp`,
    callsPerMinute: 100_000,
  });
  for (const { id: toolId, listedHash } of (await oven.call("GET", `mcp-connections/${id}/tools`)).body)
    await make(`mcp-connections/${id}/tools/${toolId}/approve`, { hash: listedHash, needsApproval: false });
  const workflow = (slug: string, src: string, input: object, given: string, more: object = {}) =>
    make("agent-workflows", {
      name: slug,
      slug,
      mcpExport: slug === "passes",
      definition: {
        ...more,
        initial: "step",
        states: {
          step: { invoke: { src, input, retry: { maxAttempts: 1 }, onDone: "done" } },
          done: { type: "final", output: { given } },
        },
      },
    });
  const anything = { type: "object", additionalProperties: true };
  const take = { method: "POST", url: `${outside.origin}/take`, body: "$.trigger" };
  await workflow("passes", "core.http", take, "$.trigger", { payloadSchema: anything });
  await workflow("fetches", "core.http", { url: `${outside.origin}/give` }, "$.step_output.body");
  await workflow("uses-tool", "mcp.callTool", { tool: "mcp.outside.pass" }, "$.step_output.structured");
  const asked = { model: MODEL, prompt: "go" };
  await workflow(
    "structured",
    "agent.llm",
    { ...asked, outputSchema: anything, maxCorrections: 0 },
    "$.step_output.object",
  );
  await workflow("loops", "agent.toolLoop", { ...asked, tools: ["mcp.outside.pass"] }, "$.step_output.text");
}

function toText(written: Written | undefined): string {
  if (written instanceof WrittenNumber) return written.text;
  return typeof written === "string" ? written : JSON.stringify(written ?? null);
}

/** @param status 0: of a run that failed */
function refusal(
  status: number,
  error: Written | undefined,
  message = toText(writtenAt(error ?? null, "message")),
): Outcome {
  const code = toText(writtenAt(error ?? null, "code"));
  const numbers = writtenAt(error ?? null, "details", "numbers");
  const paths = Array.isArray(numbers)
    ? numbers.map((number) => toText(writtenAt(number, "path")))
    : [toText(writtenAt(error ?? null, "path"))];
  return {
    type: "refused",
    code: status >= 500 ? `${status} ${code}` : code,
    message,
    names: namesIn(paths.join(" ")),
  };
}

function namesIn(text: string): string[] {
  return [...new Set(text.match(/\bv\d+\b/g) ?? [])];
}

/** What a model is told about a call of a tool that did not take place. */
function refusalIn(request: RecordedRequest | undefined): Outcome {
  const messages = (request?.body.messages ?? []) as { role: string; content: unknown }[]; // cast: a chat completion
  const text = JSON.stringify(messages.findLast(({ role }) => role === "tool")?.content ?? null);
  const code = text.includes("which would be changed") ? "NUMBER_NOT_EXACT" : "none";
  return { type: "refused", code, message: text, names: namesIn(text) };
}

function wireName({ body }: RecordedRequest): string {
  const [tool] = (body.tools ?? []) as { function: { name: string } }[]; // cast: a chat completion
  return tool?.function.name ?? "none";
}

/** Within a form only the whole has a mark. */
function withoutMark(text: string, charset: Charset): Uint8Array {
  const bytes = encodeText(text, charset) ?? Buffer.from(text);
  return charset === "utf-16le" ? bytes.subarray(2) : bytes;
}

/** What the run began with, wherever the export has it. */
function findTrigger(exported: Written): Written | undefined {
  return writtenAt(exported, "runs", "0", "execution", "context", "trigger");
}

async function until<T>(look: () => T | undefined): Promise<T> {
  for (let tries = 0; tries < 3_000; tries++) {
    const found = look();
    if (found !== undefined) return found;
    await setTimeout(10);
  }
  throw new Error("nothing came in 30 s");
}
