import { type Json, JsonSchema, OvenError, parseJson } from "@oven/contract";
import { defineTool, type ServiceMap } from "@oven/module-registry";
import { z } from "zod";

export const PYTHON_TOOL = "execute_python";
const TIMEOUT_MS = 60_000;

const AnswerSchema = z.object({ stdout: z.string().default(""), result: JsonSchema.default(null) });

/** Code is run by a service that an operator has set up for it, never here. */
export const pythonTool = defineTool({
  id: PYTHON_TOOL,
  title: "Run Python",
  description:
    "Runs Python code in the sandbox that the operator has configured and answers what it prints and returns",
  input: z.strictObject({ code: z.string().min(1).max(100_000) }),
  output: z.strictObject({ stdout: z.string(), result: JsonSchema }),
  effect: "at-least-once",
  permission: "chain-tools.use",
  tags: ["outbound"],
  timeoutMs: TIMEOUT_MS,
  async run({ input, principal, services, signal }) {
    const url = await sandboxUrl(services, principal.tenantId);
    if (url === "") {
      throw new OvenError("SANDBOX_MISSING", "Python code is not run here: no sandbox is configured", {
        status: 503,
        fix: "An operator sets PYTHON_SANDBOX_URL of module-workflow-formats to a service that runs code.",
      });
    }
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

export async function hasSandbox(services: Pick<ServiceMap, "config">, tenantId: number): Promise<boolean> {
  return (await sandboxUrl(services, tenantId)) !== "";
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
