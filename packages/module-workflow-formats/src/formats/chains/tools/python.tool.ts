import { type Json, JsonSchema, OvenError, parseJson } from "@oven/contract";
import { defineTool, type ServiceMap, type ToolContext } from "@oven/module-registry";
import { z } from "zod";

const TIMEOUT_MS = 60_000;

const AnswerSchema = z.object({ stdout: z.string().default(""), result: JsonSchema.default(null) });

/** Code is run by the service that an operator has set up for it, else in the sandbox of this installation. */
export const pythonTool = defineTool({
  id: "execute_python",
  title: "Run Python",
  description:
    "Runs Python code in a sandbox and answers what it prints, and the value of its last expression. It has no files, network and clock.",
  input: z.strictObject({ code: z.string().min(1).max(100_000) }),
  output: z.strictObject({ stdout: z.string(), result: JsonSchema }),
  effect: "at-least-once",
  permission: "chain-tools.use",
  tags: ["outbound"],
  timeoutMs: TIMEOUT_MS,
  async run(context) {
    const { input, principal, services, signal } = context;
    const url = await sandboxUrl(services, principal.tenantId);
    if (url === "") return runHere(context);
    const response = await services.outbound.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ language: "python", code: input.code }),
      signal,
      timeoutMs: TIMEOUT_MS,
    });
    const { stdout, result } = await readServiceAnswer(response, AnswerSchema, "sandbox");
    return { stdout, result: result as Json }; // cast: it came as JSON
  },
});

async function runHere({ input, services, signal, idempotencyKey }: ToolContext<{ code: string }>) {
  const { code } = input;
  const request = { language: "python", code, inputs: {}, seed: idempotencyKey, signal } as const;
  const { result, logs } = await services.sandbox.run(request);
  return { stdout: logs.map((line) => `${line}\n`).join(""), result };
}

async function sandboxUrl({ config }: Pick<ServiceMap, "config">, tenantId: number): Promise<string> {
  const { value } = await config.resolve({ module: "module-workflow-formats", key: "PYTHON_SANDBOX_URL", tenantId });
  return String(value);
}

/** @throws OvenError HTTP_STATUS, NUMBER_NOT_EXACT */
export async function readServiceAnswer<T>(response: Response, schema: z.ZodType<T>, what: string): Promise<T> {
  if (!response.ok) throw badAnswer(what, response.status);
  let value: Json;
  try {
    value = parseJson(await response.text(), { what: `The answer of the ${what}` });
  } catch (error) {
    if (error instanceof SyntaxError) throw badAnswer(what, response.status);
    throw error;
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw badAnswer(what, response.status);
  return parsed.data;
}

function badAnswer(what: string, status: number): OvenError {
  return new OvenError("HTTP_STATUS", `The ${what} answered ${status}, and nothing that can be used`, {
    status: 502,
    fix: "Ask the operator to look at it.",
    retryable: status >= 500,
  });
}
