import type { Json, JsonObject } from "@oven/contract";
import type { MostByQuantity } from "@oven/module-registry";
import { addTimes, writtenTime } from "./written-time.ts";

/** As many as a step may name. */
const MOST_STAGES = 10;

/** What a review asks of people at most, by the inputs of a step that say who decides: each stage is asked once, within one deadline. */
export function reviewCeiling({ stages, dueIn, onDeadline }: JsonObject): MostByQuantity {
  const asked = stages === undefined ? 1 : Array.isArray(stages) ? stages.length : MOST_STAGES;
  return { reviews: asked, waiting: addTimes(writtenTime(dueIn, { code: "no-deadline" }), afterDeadline(onDeadline)) };
}

/** How long others are asked who come after the deadline. */
function afterDeadline(onDeadline: Json | undefined): ReturnType<typeof writtenTime> {
  if (typeof onDeadline === "string" && onDeadline !== "error") return { code: "computed" };
  if (onDeadline === null || typeof onDeadline !== "object" || Array.isArray(onDeadline)) return 0;
  return onDeadline.escalateTo === undefined ? 0 : writtenTime(onDeadline.dueIn, { code: "computed" });
}
