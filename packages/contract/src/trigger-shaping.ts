import { z } from "zod";

const SECOND = 1_000;
const DAY = 86_400_000;

/** The most events that a batch may be asked to collect. */
export const MAX_BATCH_EVENTS = 1_000;

/** CEL over what arrives, such as `ctx.order.id`. Without a key all events of the trigger belong together. */
const ShapingKeySchema = z.string().trim().min(1).max(1_000);
const waitMs = z
  .int()
  .min(SECOND)
  .max(7 * DAY);

/** How events become runs, between the filter and the start. Each part counts by its key. */
export const TriggerShapingSchema = z
  .strictObject({
    /** A second event with the same key within this time starts nothing. */
    dedupe: z
      .strictObject({
        key: ShapingKeySchema,
        withinMs: z
          .int()
          .min(SECOND)
          .max(30 * DAY),
      })
      .optional(),
    /** One run with the last event once it was quiet for `quietMs`, at the latest `maxMs` after the first. */
    debounce: z
      .strictObject({ key: ShapingKeySchema.optional(), quietMs: waitMs, maxMs: waitMs.optional() })
      .refine(({ quietMs, maxMs }) => maxMs === undefined || maxMs >= quietMs, {
        path: ["maxMs"],
        message: "maxMs must not be shorter than quietMs",
      })
      .optional(),
    /** One run with `{events: [...]}` as soon as `count` came, or `withinMs` after the first. */
    batch: z
      .strictObject({
        key: ShapingKeySchema.optional(),
        count: z.int().min(2).max(MAX_BATCH_EVENTS),
        withinMs: waitMs,
      })
      .optional(),
    /** At most `count` runs within `perMs`; the others start nothing, or wait for their turn. */
    rate: z
      .strictObject({
        key: ShapingKeySchema.optional(),
        count: z.int().min(1).max(10_000).default(1),
        perMs: waitMs,
        over: z.enum(["skip", "wait"]).default("skip"),
      })
      .optional(),
  })
  .refine(({ debounce, batch }) => debounce === undefined || batch === undefined, {
    path: ["batch"],
    message: "A trigger has either debounce or batch",
  });
export type TriggerShaping = z.infer<typeof TriggerShapingSchema>;
