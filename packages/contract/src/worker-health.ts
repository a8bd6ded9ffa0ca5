import { z } from "zod";

/** What a worker says of itself at `/health`. */
export const WorkerHealthSchema = z.strictObject({
  /** The process answers. */
  live: z.literal(true),
  /** It takes runs: the database answers, and it was not told to stop. */
  ready: z.boolean(),
  /** It was told to stop and lets calls in flight finish. */
  draining: z.boolean(),
});
export type WorkerHealth = z.infer<typeof WorkerHealthSchema>;

/** Whether a process can serve, at its `/ready`; true of all means yes. */
export const ReadinessSchema = z.strictObject({
  ready: z.boolean(),
  /** The database answers. */
  database: z.boolean(),
  /** The database has every migration of this version. */
  migrations: z.boolean(),
  /** The process was asked to stop. */
  draining: z.boolean(),
});
export type Readiness = z.infer<typeof ReadinessSchema>;
