import { OvenError } from "@oven/contract";
import type { TriggerShaping } from "@oven/contract/trigger";
import { compileValue, ExpressionSyntaxError } from "@oven/engine";
import type { TriggerDefinition } from "@oven/module-registry";

/** @throws OvenError INVALID_TRIGGER with the place */
export function checkShaping(
  shaping: TriggerShaping | null,
  definition: Pick<TriggerDefinition, "answersWithRun" | "title"> | undefined,
): void {
  if (shaping === null) return;
  const gathers = shaping.debounce !== undefined ? "debounce" : shaping.batch !== undefined ? "batch" : undefined;
  if (gathers !== undefined && definition?.answersWithRun)
    throw new OvenError(
      "INVALID_TRIGGER",
      `Each call of a trigger of the kind ${definition.title} has a run of its own`,
      {
        status: 400,
        path: `$.shaping.${gathers}`,
        fix: "Leave it out, or start the workflow by a webhook.",
      },
    );
  for (const [part, settings] of Object.entries(shaping)) if (settings?.key !== undefined) checkKey(part, settings.key);
}

function checkKey(part: string, key: string): void {
  try {
    compileValue({ $cel: key });
  } catch (cause) {
    if (!(cause instanceof ExpressionSyntaxError)) throw cause;
    throw new OvenError("INVALID_TRIGGER", cause.message, {
      status: 400,
      path: `$.shaping.${part}.key`,
      fix: cause.fix,
      cause,
    });
  }
}

/** Keys of what a run of the trigger is handed, where they are always the same ones. */
export function arrivingOf(
  definition: Pick<TriggerDefinition, "arriving"> | undefined,
  shaping: TriggerShaping | null,
): readonly string[] | undefined {
  return shaping?.batch === undefined ? definition?.arriving : ["events"];
}
