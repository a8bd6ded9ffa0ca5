import { type ChainSpec, ChainSpecSchema, isOvenError, type JsonObject, OvenError } from "@oven/contract";
import type { z } from "zod";
import { type ChainProblem, refuseProblems } from "./chain-problem.ts";
import { type ReadSource, readSource } from "./read-source.ts";

/**
 * A chain from a document as text. What is wrong with it is told with its place in that text.
 * @throws OvenError CHAIN_UNREADABLE, CHAIN_INVALID, SLUG_TAKEN
 */
export async function importChain<T>(source: string, create: (spec: ChainSpec) => Promise<T>): Promise<T> {
  const read = readSource(source);
  try {
    const parsed = ChainSpecSchema.safeParse(read.value);
    if (!parsed.success) refuseProblems(parsed.error.issues.flatMap(toProblems));
    return await create(ChainSpecSchema.parse(read.value));
  } catch (error) {
    if (!isOvenError(error) || error.path === undefined) throw error;
    throw located(error, error.path, read);
  }
}

function toProblems(issue: z.core.$ZodIssue): ChainProblem[] {
  const path = toPath(issue.path);
  if (issue.code !== "unrecognized_keys") {
    const isMissing = issue.code === "invalid_type" && issue.input === undefined && !issue.message.includes("received");
    return [{ path, message: issue.message, fix: isMissing ? "Write it." : "See the guide on executor chains." }];
  }
  return issue.keys.map((key) => ({
    path: `${path}.${key}`,
    message: `There is no field ${JSON.stringify(key)} here`,
    fix: "Leave it out, or look at how it is spelt.",
  }));
}

function toPath(parts: readonly PropertyKey[]): string {
  return parts.reduce<string>(
    (path, part) => (typeof part === "number" ? `${path}[${part}]` : `${path}.${String(part)}`),
    "$",
  );
}

function located(error: OvenError, path: string, { placeOf }: ReadSource): OvenError {
  const { line, column } = placeOf(path);
  const problems = Array.isArray(error.details?.problems) ? error.details.problems : [];
  return new OvenError(error.code, `Line ${line}, column ${column}: ${error.message}`, {
    status: error.status,
    path,
    ...(error.fix === undefined ? {} : { fix: error.fix }),
    details: {
      line,
      column,
      problems: problems.map((problem) => {
        const told = problem as JsonObject; // cast: written by `refuseProblems`
        return { ...told, ...placeOf(String(told.path)) };
      }),
    },
    cause: error,
  });
}
