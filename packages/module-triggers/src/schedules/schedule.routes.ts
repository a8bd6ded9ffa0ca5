import { SchedulePreviewSchema } from "@oven/contract/trigger";
import type { Clock } from "@oven/db";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { TriggerService } from "../triggers/trigger-service.ts";
import { ScheduleConfigSchema } from "../types/schedule.trigger.ts";
import { describeSchedule } from "./describe-schedule.ts";
import { readSchedule } from "./read-schedule.ts";
import { TimezoneSchema } from "./timezone.ts";

const NEXT = 5;

/** Schedules in words and in exact terms, before anything is saved. */
export function scheduleRoutes(deps: () => { clock: Clock; triggers: TriggerService }): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "schedules/preview",
      operation: "schedules.preview",
      summary: "What a schedule in words, or a cron expression, means exactly",
      description:
        "`text` is such as `tomorrow 9am`, `every weekday at 8:30`, `on the first friday of the month at 8`, the same in German, or a cron expression. Each of its words is understood, or it is refused with the part that is not.",
      access: { permission: "triggers.read" },
      effect: "pure",
      body: z.strictObject({
        text: z.string().trim().min(1).max(300),
        timezone: TimezoneSchema,
      }),
      response: SchedulePreviewSchema,
      handler: async ({ body }) => {
        const now = await deps().clock();
        return ok(describeSchedule(await readSchedule(body.text, body.timezone, now), now, NEXT));
      },
    }),
    defineRoute({
      method: "GET",
      path: "triggers/[id]/next",
      operation: "triggers.next",
      summary: "The next five instants of a schedule, in exact terms",
      access: { permission: "triggers.read" },
      effect: "pure",
      params: z.object({ id: z.coerce.number().int().positive() }),
      response: SchedulePreviewSchema.nullable(),
      handler: async ({ principal, params }) => {
        const { type, config } = await deps().triggers.get(principal, params.id);
        const schedule = type === "schedule" ? ScheduleConfigSchema.parse(config) : undefined;
        return ok(schedule === undefined ? null : describeSchedule(schedule, await deps().clock(), NEXT));
      },
    }),
  ];
}
