import { z } from "zod";
import { connectDatabase } from "../../../packages/db/src/index.ts";
import { createTestPostgres } from "../../../packages/db/src/testing.ts";
import { createAgentCoreModule } from "../../../packages/module-agent-core/src/index.ts";
import { createAiModule } from "../../../packages/module-ai/src/index.ts";
import {
  createRuntime,
  createSystemModule,
  defineModule,
  defineNode,
  defineTool,
  done,
  RUNNING_ROLES,
} from "../../../packages/module-registry/src/index.ts";
import { createRolesModule } from "../../../packages/module-roles/src/index.ts";
import { createAgentWorkflowsModule } from "../../../packages/module-workflow-agents/src/index.ts";
import { createWorkflowsModule } from "../../../packages/module-workflows/src/index.ts";
import {
  type ModelReply,
  type RecordedRequest,
  startModelServer,
  startTestOven,
  type TestOven,
} from "../../../packages/testing/src/index.ts";
import { percentile } from "./figures.ts";

/** A task of so many calls. `chained`: each needs what the one before answered, so a model can only ask for one at a time. */
interface Task {
  calls: number;
  chained: boolean;
}

const TASKS: readonly Task[] = Array.from({ length: 20 }, (_, index) => ({
  calls: (index + 1) * 10,
  chained: index % 2 === 0,
}));
/** Calls that the model asks for in one answer where they need nothing of each other. */
const AT_ONCE = 10;
const CHARACTERS_PER_TOKEN = 4;

/** What a model was asked for one task. */
export interface Asked {
  modelCalls: number;
  tokens: number;
}

export interface TaskFigures extends Task {
  loop: Asked;
  code: Asked;
}

export interface CodeModeFigures {
  tasks: TaskFigures[];
  /** Milliseconds of one call, the median of several runs. */
  perCall: { code: number; node: number; toolStep: number };
  /** Of a program that holds 100 values, and waits. */
  sessionBytes: number;
}

/** Code mode beside the tool loop with the same tasks, and its overhead beside steps of a graph, on PostgreSQL. */
export async function measureCodeMode(
  postgresUrl: string,
  { rounds, tasks: many }: { rounds: number; tasks: number },
): Promise<CodeModeFigures> {
  let reply: (request: RecordedRequest) => ModelReply = () => ({ status: 500, message: "no task" });
  const server = await startModelServer((request) => reply(request), { models: ["scripted"] });
  const { url, drop } = await createTestPostgres(postgresUrl);
  const db = await connectDatabase({ url, dataDir: "unused" });
  const oven = await startTestOven({
    db,
    createRuntime,
    modules: [
      createSystemModule(),
      createRolesModule(),
      createWorkflowsModule(),
      createAiModule(),
      createAgentCoreModule(),
      createAgentWorkflowsModule(),
      shop(),
    ],
    environment: { variables: { OPENAI_BASE_URL: server.url } },
  });
  const bench = new Bench(oven);
  try {
    const tasks: TaskFigures[] = [];
    for (const task of TASKS.slice(0, many)) {
      const counted = counting(toLoopReply(task));
      reply = counted.reply;
      await bench.run(loopOf(task));
      const loop = counted.asked;
      const once = counting(() => ({ text: `\`\`\`python\n${programOf(task)}\`\`\`` }));
      reply = once.reply;
      await bench.run(codeOf({ prompt: promptOf(task) }));
      tasks.push({ ...task, loop, code: once.asked });
    }
    return { tasks, perCall: await overhead(bench, rounds), sessionBytes: await sessionBytes(bench) };
  } finally {
    await oven.stop();
    await db.close();
    await drop();
    await server.close();
  }
}

function shop() {
  return defineModule({
    name: "module-bench",
    namespace: "bench",
    description: "Orders to look up.",
    dependencies: ["module-workflows"],
    permissions: [{ id: "bench.use", title: "Look orders up", roles: RUNNING_ROLES }],
    tools: [
      defineTool({
        id: "bench.order",
        title: "Order",
        description: "Looks an order up by its number.",
        input: z.strictObject({ id: z.int() }),
        output: z.strictObject({ id: z.int(), customer: z.string(), total: z.number(), next: z.int() }),
        effect: "idempotent",
        permission: "bench.use",
        run: async ({ input }) => orderOf(input.id),
      }),
    ],
    nodes: [
      defineNode({
        id: "bench.node",
        version: 1,
        title: "Order",
        docs: "Looks an order up.",
        category: "core",
        kind: "tool",
        effect: "idempotent",
        input: z.strictObject({ id: z.int() }),
        output: z.looseObject({}),
        run: async (context) => done(orderOf(context.input.id)),
      }),
    ],
  });
}

function orderOf(id: number) {
  return { id, customer: `customer-${id % 17}@example.com`, total: (id * 37) % 500, next: id + 1 };
}

function promptOf({ calls, chained }: Task): string {
  return chained
    ? `Begin with order 1 and follow \`next\` through ${calls} orders. Answer the sum of their totals.`
    : `Look the orders 1 to ${calls} up. Answer the sum of their totals.`;
}

function programOf({ calls, chained }: Task): string {
  if (!chained)
    return `import asyncio\ntotal = 0\nfor first in range(1, ${calls + 1}, ${AT_ONCE}):\n    for order in await asyncio.gather(*[bench_order(id=n) for n in range(first, min(first + ${AT_ONCE}, ${calls + 1}))]):\n        total += order["total"]\ntotal\n`;
  return `total = 0\nnumber = 1\nfor _ in range(${calls}):\n    order = await bench_order(id=number)\n    total += order["total"]\n    number = order["next"]\ntotal\n`;
}

/** What a model answers that is asked again after its calls: the next ones, until there are enough. */
function toLoopReply({ calls, chained }: Task): () => ModelReply {
  let made = 0;
  return () => {
    if (made >= calls) return { text: "The sum is 1234." };
    const many = chained ? 1 : Math.min(AT_ONCE, calls - made);
    const toolCalls = Array.from({ length: many }, (_, index) => ({
      id: `c${made + index + 1}`,
      name: "bench_order",
      arguments: { id: made + index + 1 },
    }));
    made += many;
    return { text: "", toolCalls };
  };
}

/** Counts questions, and tokens as characters of what is sent and answered. */
function counting(answer: () => ModelReply) {
  const asked: Asked = { modelCalls: 0, tokens: 0 };
  return {
    asked,
    reply: ({ body }: RecordedRequest): ModelReply => {
      const next = answer();
      const { messages = null, tools = null } = body;
      const input = Math.ceil(JSON.stringify([messages, tools]).length / CHARACTERS_PER_TOKEN);
      const output = Math.ceil(JSON.stringify(next).length / CHARACTERS_PER_TOKEN);
      asked.modelCalls += 1;
      asked.tokens += input + output;
      return { ...next, usage: { input, output } } as ModelReply; // cast: both kinds of answers have a usage
    },
  };
}

const MODEL = { agentConfig: { model: "openai:scripted" } };

function loopOf({ calls, chained }: Task): object {
  const input = { prompt: promptOf({ calls, chained }), tools: ["bench.order"], maxIterations: 300 };
  return {
    ...MODEL,
    initial: "work",
    states: { work: { invoke: { src: "agent.toolLoop", input, onDone: "done" } }, done: { type: "final" } },
  };
}

function codeOf(input: object): object {
  return {
    ...MODEL,
    initial: "work",
    states: {
      work: {
        invoke: { src: "agent.code", input: { tools: ["bench.order"], maxCalls: 300, ...input }, onDone: "done" },
      },
      done: { type: "final", output: "$.work_output.calls" },
    },
  };
}

/** A graph whose loop has one step for each call. */
function graphOf(calls: number, src: string, input: object): object {
  return {
    initial: "each",
    states: {
      each: {
        loop: {
          type: "forEach",
          collection: Array.from({ length: calls }, (_, index) => index + 1),
          bodyInitial: "call",
          bodyStates: { call: { invoke: { src, input, onDone: "end" } }, end: { type: "final" } },
          onDone: "done",
        },
      },
      done: { type: "final" },
    },
  };
}

class Bench {
  readonly #oven: TestOven;
  #made = 0;

  constructor(oven: TestOven) {
    this.#oven = oven;
  }

  async make(definition: object): Promise<number> {
    this.#made += 1;
    const made = await this.#oven.call("POST", "workflows", { name: `Bench ${this.#made}`, definition });
    if (made.status !== 201) throw new Error(`the workflow was not taken: ${JSON.stringify(made.body)}`);
    return made.body.id;
  }

  /** Milliseconds of one run; its id. */
  async execute(workflowId: number): Promise<{ ms: number; id: number }> {
    const startedAt = performance.now();
    const { body } = await this.#oven.call("POST", `workflows/${workflowId}/execute?wait=60`, {});
    if (body.status !== "completed")
      throw new Error(`the run did not complete: ${JSON.stringify(body).slice(0, 2_000)}`);
    return { ms: performance.now() - startedAt, id: body.id };
  }

  async run(definition: object): Promise<number> {
    return (await this.execute(await this.make(definition))).id;
  }

  async bytesOf(executionId: number): Promise<number> {
    const [row] = await this.#oven.db.query<{ bytes: number }>(
      "select max(octet_length(output->>'session'))::int as bytes from node_executions where execution_id = $1",
      [executionId],
    );
    return row?.bytes ?? 0;
  }
}

const MEASURED_CALLS = 100;

/** One after the other, round by round, so that what else the machine does falls on all alike. */
async function overhead(bench: Bench, rounds: number): Promise<CodeModeFigures["perCall"]> {
  const code = programOf({ calls: MEASURED_CALLS, chained: true });
  const toolCalls = [{ toolCallId: "c", tool: "bench.order", arguments: { id: "$.item" } }];
  const ids = {
    code: await bench.make(codeOf({ code })),
    node: await bench.make(graphOf(MEASURED_CALLS, "bench.node", { id: "$.item" })),
    toolStep: await bench.make(graphOf(MEASURED_CALLS, "agent.toolExecutor", { toolCalls, tools: ["bench.order"] })),
  };
  const times = { code: [] as number[], node: [] as number[], toolStep: [] as number[] };
  for (let round = 0; round <= rounds; round += 1)
    for (const kind of ["code", "node", "toolStep"] as const) {
      const { ms } = await bench.execute(ids[kind]);
      // The first of each loads code.
      if (round > 0) times[kind].push(ms / MEASURED_CALLS);
    }
  return {
    code: percentile(times.code, 0.5),
    node: percentile(times.node, 0.5),
    toolStep: percentile(times.toolStep, 0.5),
  };
}

async function sessionBytes(bench: Bench): Promise<number> {
  const code = `values = [n * 1.5 for n in range(100)]\norder = await bench_order(id=1)\nlen(values)\n`;
  return bench.bytesOf(await bench.run(codeOf({ code })));
}
