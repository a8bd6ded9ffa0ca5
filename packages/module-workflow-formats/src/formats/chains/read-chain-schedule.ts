import { isOvenError } from "@oven/contract";
import type { ChainSchedule } from "@oven/contract/formats/chains.ts";
import type { SchedulePreview } from "@oven/contract/trigger";
import type { ServiceMap } from "@oven/module-registry";
import type { SourceProblem } from "../../shared/source-problem.ts";

type Read = { problem: SourceProblem; preview?: undefined } | { problem?: undefined; preview: SchedulePreview | null };

/** What a schedule means exactly; a preview of null: it has none. */
export async function readChainSchedule(
  { schedule_type: type, schedule_time, cron_expression }: ChainSchedule,
  timezone: string,
  triggers: Pick<ServiceMap["triggers"], "preview">,
): Promise<Read> {
  if (type === "immediate") return { preview: null };
  const key = type === "scheduled" ? "schedule_time" : "cron_expression";
  const text = type === "scheduled" ? schedule_time : cron_expression;
  const path = `$.${key}`;
  const example =
    type === "scheduled" ? "Write it like tomorrow 9am." : "Write it like 0 9 * * MON-FRI, or daily at 9am.";
  if (text === null) return { problem: { path, message: `${type} needs ${key}`, fix: example } };
  let preview: SchedulePreview;
  try {
    preview = await triggers.preview(text, timezone);
  } catch (error) {
    if (!isOvenError(error)) throw error;
    return { problem: { path, message: error.message, fix: `${error.fix ?? ""} ${example}`.trim() } };
  }
  const isOnce = preview.at !== null;
  if (isOnce === (type === "scheduled")) return { preview };
  const message = isOnce
    ? `${JSON.stringify(text)} is one instant; recurring needs what comes again`
    : `${JSON.stringify(text)} comes again and again; scheduled means once`;
  return { problem: { path, message, fix: example } };
}
