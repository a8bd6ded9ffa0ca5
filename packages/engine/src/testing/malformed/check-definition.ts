import type { Json, JsonObject } from "@oven/contract";
import { compileDefinition, initialContext, type NodeCatalog, planStart, validateDefinition } from "../../index.ts";

/** Of processor time, so that a busy machine changes nothing. */
const MAX_CHECK_MS = 1_000;
/** A loop that goes round without a node running in it is stopped after twelve thousand rounds. */
const MAX_START_MS = 5_000;

/**
 * Why a definition is not dealt with as promised: something threw, took over a second of processor time, or named no place; or it
 * validated and yet does not compile or start. Undefined when all is well.
 */
export function whatBreaks(document: Json, catalog: NodeCatalog, onValid?: () => void): string | undefined {
  const before = process.cpuUsage();
  let checked: ReturnType<typeof validateDefinition>;
  try {
    checked = validateDefinition(document, catalog);
  } catch (cause) {
    return `the validator threw: ${describe(cause)}`;
  }
  const checkMs = msSince(before);
  if (checkMs > MAX_CHECK_MS) return `checking it took ${checkMs} ms`;
  for (const { path, rule, message, fix } of checked.problems) {
    if (!path.startsWith("$") || rule === "" || message === "" || fix === "")
      return `a problem without a place, rule, message or fix: ${JSON.stringify({ path, rule, message, fix })}`;
  }
  if (!checked.definition) {
    if (!checked.problems.some(({ severity }) => severity === "error")) return "refused without a problem";
  } else {
    onValid?.();
    try {
      start(checked.definition, catalog);
    } catch (cause) {
      return `it validated, and starting it threw: ${describe(cause)}`;
    }
  }
  const wholeMs = msSince(before);
  if (wholeMs > MAX_START_MS) return `starting it took ${wholeMs - checkMs} ms`;
  return Object.hasOwn(Object.prototype, "polluted") ? "Object.prototype was written to" : undefined;
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1_000);
}

function start(definition: Parameters<typeof compileDefinition>[0], catalog: NodeCatalog): void {
  const compiled = compileDefinition(definition, catalog);
  const facts = { id: 1, kind: "workflow" as const, workflowId: 1, input: {} satisfies JsonObject };
  const planned = planStart(compiled, facts, initialContext(compiled.variables, {}), { now: 0, reviewIds: [1] });
  JSON.stringify(planned.snapshot.state);
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message).slice(0, 1_500) : String(cause);
}
