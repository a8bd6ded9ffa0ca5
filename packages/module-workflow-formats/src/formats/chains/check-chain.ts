import { isGranted, type Principal } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { ChainSpec, ExecutorSpec } from "@oven/contract/formats/chains.ts";
import { suggest } from "@oven/engine";
import type { ServiceMap } from "@oven/module-registry";
import { problemMessage } from "../../shared/problem-message.ts";
import type { SourceProblem } from "../../shared/source-problem.ts";
import { pathProblem } from "./at-path.ts";
import { loopOf } from "./chain-limits.ts";
import { READ_TOOL } from "./compile-chain.ts";
import { outputSchemaProblems } from "./output-schema.ts";
import { resolveModel } from "./resolve-model.ts";

export interface ChainFacts {
  services: Pick<ServiceMap, "ai" | "tools">;
  principal: Principal;
}

/** Everything that keeps the executors from being stored, in their order. */
export async function checkExecutors(
  { executors }: Pick<ChainSpec, "executors">,
  facts: ChainFacts,
): Promise<SourceProblem[]> {
  const problems: SourceProblem[] = [];
  const known = facts.services.tools.list(facts.principal);
  for (const [place, executor] of executors.entries()) {
    const path = `$.executors[${place}]`;
    const before = executors.findIndex(({ executor_id }) => executor_id === executor.executor_id);
    if (before < place) {
      problems.push({
        path: `${path}.executor_id`,
        message: `${executor.executor_id} is the id of executors[${before}] already`,
        fix: "Give each executor an id of its own.",
      });
    }
    problems.push(...(await modelProblems(executor, path, facts)));
    problems.push(...executor.tools.flatMap((tool, at) => toolProblems(tool, `${path}.tools[${at}]`, known, facts)));
    problems.push(...outputSchemaProblems(executor.output_schema, `${path}.output_schema`));
    problems.push(...loopProblems(executor, place, `${path}.loop`));
  }
  return problems;
}

async function modelProblems(
  { model }: ExecutorSpec,
  path: string,
  { services, principal }: ChainFacts,
): Promise<SourceProblem[]> {
  let fix = "Name an alias such as fast, or provider:model.";
  const message = await problemMessage(async () => {
    try {
      await resolveModel(services.ai, model, principal.tenantId);
    } catch (error) {
      if (error instanceof Error && "fix" in error && typeof error.fix === "string") fix = error.fix;
      throw error;
    }
  });
  return message === undefined ? [] : [{ path: `${path}.model`, message, fix }];
}

function toolProblems(tool: string, path: string, known: readonly ToolInfo[], facts: ChainFacts): SourceProblem[] {
  const info = facts.services.tools.get(tool, facts.principal.tenantId);
  if (info === undefined || tool === READ_TOOL) {
    const names = known.map(({ id }) => id);
    return [
      {
        path,
        message: `There is no tool ${JSON.stringify(tool)}`,
        fix: suggest(tool, names, "GET /api/tools lists them."),
      },
    ];
  }
  const needed = info.permissions ?? (info.permission === null ? [] : [info.permission]);
  const missing = needed.find((permission) => !isGranted(facts.principal.permissions, permission));
  if (missing !== undefined)
    return [
      {
        path,
        message: `You may not use ${tool}: it needs the permission ${missing}`,
        fix: "Ask an administrator for it.",
      },
    ];
  return [];
}

function loopProblems(executor: ExecutorSpec, place: number, path: string): SourceProblem[] {
  const loop = loopOf(executor);
  if (loop === undefined) return [];
  const problems: SourceProblem[] = [];
  if (loop.type === "for_each" && place === 0) {
    const message = "The first executor has no previous output to go through";
    problems.push({ path: `${path}.type`, message, fix: "Put an executor before it that answers the list." });
  }
  if (loop.type === "repeat_until" && loop.predicate_path === null) {
    const message = "A loop that repeats needs to know until when";
    problems.push({ path: `${path}.predicate_path`, message, fix: "Name a value of its output, such as complete." });
  }
  for (const key of ["input_path", "predicate_path"] as const) {
    const message = loop[key] === null ? undefined : pathProblem(loop[key]);
    if (message !== undefined)
      problems.push({ path: `${path}.${key}`, message, fix: "Write a path such as prices or data.items[0]." });
  }
  return problems;
}
