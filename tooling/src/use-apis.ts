import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readApiDocument } from "../../packages/api-documents/src/index.ts";
import { generateInput } from "../../packages/api-documents/src/testing/generate-input.ts";
import type { ApiConnectionOperation, ApiConnectionOperationDetail } from "../../packages/contract/src/doors/api.ts";
import type { JsonObject } from "../../packages/contract/src/index.ts";
import { toUsableSchema } from "../../packages/engine/src/index.ts";
import { createAgentCoreModule } from "../../packages/module-agent-core/src/index.ts";
import { createAiModule } from "../../packages/module-ai/src/index.ts";
import { createApiConnectionsModule } from "../../packages/module-api-connections/src/index.ts";
import { createRuntime, createSystemModule } from "../../packages/module-registry/src/index.ts";
import { createRolesModule } from "../../packages/module-roles/src/index.ts";
import { createAgentWorkflowsModule } from "../../packages/module-workflow-agents/src/index.ts";
import { createWorkflowsModule } from "../../packages/module-workflows/src/index.ts";
import { startTestOven } from "../../packages/testing/src/index.ts";
import { type AnsweredDocument, startAnsweringServer } from "./api-corpus/answering-server.ts";

/*
 * `pnpm apis:use --dir DIR [--calls 20] FILE …`: connects the APIs that documents describe, approves all their operations, and calls some of
 * each, evenly, from steps of runs, against a server on loopback that answers by the document. Prints what was called and what the server
 * found wrong with requests; ends with 1 if anything was.
 */
const TOKEN = "token-of-the-campaign";
const option = (name: string): string | undefined => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? undefined : process.argv[position + 1];
};
const [dir, calls] = [option("dir"), Number(option("calls") ?? 20)];
const files = process.argv.slice(2).filter((word, at, all) => !word.startsWith("--") && !all[at - 1]?.startsWith("--"));
if (dir === undefined || files.length === 0 || !(calls > 0)) {
  console.error("Usage: pnpm apis:use --dir DIR [--calls 20] FILE …");
  process.exit(2);
}

const documents = await Promise.all(files.map(async (file) => toAnswered(readFileSync(join(dir, file), "utf8"))));
const server = await startAnsweringServer(documents, TOKEN);
const oven = await startTestOven({
  createRuntime,
  modules: [
    createSystemModule(),
    createRolesModule(),
    createWorkflowsModule(),
    createAiModule(),
    createAgentCoreModule(),
    createAgentWorkflowsModule(),
    createApiConnectionsModule(),
  ],
  environment: { outboundAllow: [server.origin], variables: {} },
});
const must = async (method: string, path: string, body?: object) => {
  const answer = await oven.call(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
await must("POST", "secrets", { name: "token", value: TOKEN, hosts: [new URL(server.origin).host] });

let failures = 0;
for (const [at, file] of files.entries()) failures += await use(file, at);
await oven.stop();
await server.close();
process.exit(failures + server.problems.length === 0 ? 0 : 1);

/** A document with an answer for each operation. */
async function toAnswered(text: string): Promise<AnsweredDocument> {
  const { operations } = await readApiDocument(text);
  const answers = operations.flatMap(({ method, path, outputSchema }) =>
    outputSchema === null ? [] : [[`${method} ${path}`, toAnswer(outputSchema)] as const],
  );
  return { text, root: JSON.parse(text) as JsonObject, answers: new Map(answers) }; // cast: a document is an object
}

function toAnswer(schema: JsonObject) {
  const wrapped = {
    type: "object",
    properties: { value: schema },
    required: ["value"],
    ...(schema.$defs === undefined ? {} : { $defs: schema.$defs }),
  };
  return generateInput(wrapped).value ?? null;
}

async function use(file: string, at: number): Promise<number> {
  const connection = await must("POST", "api-connections", {
    name: `api-${at}`,
    source: { type: "url", url: `${server.origin}/documents/${at}` },
    serverUrl: `${server.origin}/${at}`,
    auth: { type: "bearer", secret: "token" },
    callsPerMinute: 100_000,
  });
  const usable = (await allOperations(connection.id)).filter(({ problem }) => problem === null);
  for (let from = 0; from < usable.length; from += 1_000)
    await must("POST", `api-connections/${connection.id}/operations/approve`, {
      operations: usable.slice(from, from + 1_000).map(({ id, hash }) => ({ id, hash })),
      ...{ effect: "idempotent", needsApproval: false },
    });
  const chosen = usable.filter(
    (_one, index) => Math.floor((index * calls) / usable.length) !== Math.floor(((index - 1) * calls) / usable.length),
  );
  const failed: string[] = [];
  let [completed, files, unfit] = [0, 0, 0];
  for (const { id, toolId } of chosen) {
    const detail: ApiConnectionOperationDetail = await must("GET", `api-connections/${connection.id}/operations/${id}`);
    const input = generateInput(toUsableSchema(detail.listed.inputSchema).schema);
    // A file is a reference to stored content, which nothing here has.
    if (JSON.stringify(input).includes('"$blob"') || detail.listed.body?.kind === "file") {
      files++;
      continue;
    }
    const run = await runStep(toolId, input);
    if (run.status === "completed") completed++;
    // A pattern that the generator of inputs does not know.
    else if (run.errorInfo?.code === "TOOL_INPUT_INVALID") unfit++;
    else failed.push(`${toolId}: ${run.errorInfo?.code} ${String(run.errorInfo?.message).slice(0, 200)}`);
  }
  const problems = server.problems.splice(0);
  const { title, version } = connection.document;
  const lines = [
    `${title} ${version} (${file}): ${usable.length} of ${connection.operations.total} operations usable; ${chosen.length} chosen, ${completed} completed, ${files} need a file, ${unfit} without a fitting input, ${failed.length} failed; ${problems.length} problems of requests`,
    ...[...failed, ...problems].map((line) => `  ${line}`),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return failed.length + problems.length;
}

async function allOperations(id: number): Promise<ApiConnectionOperation[]> {
  const all: ApiConnectionOperation[] = [];
  for (let from = 0; ; from += 500) {
    const range = encodeURIComponent(JSON.stringify([from, from + 499]));
    const rows: ApiConnectionOperation[] = await must("GET", `api-connections/${id}/operations?range=${range}`);
    all.push(...rows);
    if (rows.length < 500) return all;
  }
}

async function runStep(tool: string, args: JsonObject) {
  const definition = {
    initial: "call",
    states: {
      call: { invoke: { src: "api.call", input: { tool, arguments: { $literal: args } }, onDone: "done" } },
      done: { type: "final" },
    },
  };
  const { id } = await must("POST", "workflows", { name: `${tool} ${crypto.randomUUID()}`, definition });
  return must("POST", `workflows/${id}/execute?wait=30`, { input: {} });
}
