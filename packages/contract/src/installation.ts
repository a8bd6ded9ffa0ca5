import { z } from "zod";
import { ExecutionKindSchema } from "./execution.ts";

/** A module as it is installed: what it brings, and how far its tables are. */
export const InstalledModuleSchema = z.strictObject({
  name: z.string(),
  namespace: z.string(),
  description: z.string(),
  dependencies: z.array(z.string()),
  tables: z.array(z.string()),
  /** Applied to this database; null: the module has no tables. */
  migrations: z.int().nonnegative().nullable(),
  migratedAt: z.string().nullable(),
  permissions: z.array(z.strictObject({ id: z.string(), title: z.string() })),
  routes: z.array(
    z.strictObject({
      method: z.string(),
      path: z.string(),
      summary: z.string(),
      /** A permission, `session` (anybody signed in) or `public`. */
      access: z.string(),
    }),
  ),
  nodes: z.array(z.string()),
  tools: z.array(z.string()),
  emits: z.array(z.string()),
  listensTo: z.array(z.string()),
});
export type InstalledModule = z.infer<typeof InstalledModuleSchema>;

const LeasedRunSchema = z.strictObject({
  id: z.int().positive(),
  kind: ExecutionKindSchema,
  currentState: z.string(),
  leaseUntil: z.string(),
});

/** A process of this installation that takes runs, or only serves. */
export const WorkerSchema = z.strictObject({
  name: z.string(),
  host: z.string(),
  pid: z.int(),
  /** It is the process that answers. */
  here: z.boolean(),
  takesRuns: z.boolean(),
  /** It has not stopped, and was heard of within three heartbeats. */
  live: z.boolean(),
  startedAt: z.string(),
  heartbeatAt: z.string(),
  stoppedAt: z.string().nullable(),
  nodeVersion: z.string(),
  /** Resident bytes at its last heartbeat. */
  memory: z.int().nonnegative().nullable(),
  runs: z.array(LeasedRunSchema),
  /** All that it holds; `runs` has at most fifty. */
  leases: z.int().nonnegative(),
});
export type Worker = z.infer<typeof WorkerSchema>;

/** The worker processes, as `GET /api/installation/workers` answers them. */
export const WorkersSchema = z.strictObject({
  workers: z.array(WorkerSchema),
  /** Held by a process that is not heard of any more: taken over when the lease ends. */
  orphans: z.array(LeasedRunSchema),
});
export type Workers = z.infer<typeof WorkersSchema>;

const CountedSchema = z.strictObject({ count: z.int().nonnegative(), oldest: z.string().nullable() });

/** What waits, what goes on, and what came of it; counted when asked. */
export const QueueSchema = z.strictObject({
  /** Runs that nothing has begun to work on. */
  pending: CountedSchema,
  running: CountedSchema,
  /** Runs that wait for people, events or time. */
  paused: CountedSchema,
  /** Running executions that continue at a later instant, and the first of these instants. */
  timers: z.strictObject({ count: z.int().nonnegative(), next: z.string().nullable() }),
  /** Should be worked on and are not held by anybody. */
  overdue: CountedSchema,
  /** Messages "look at this run" on their way between processes. */
  wakeUps: z.int().nonnegative(),
  /** Runs that ended in the last hour, of the newest 100,000. */
  lastHour: z.strictObject({
    completed: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    cancelled: z.int().nonnegative(),
  }),
});
export type Queue = z.infer<typeof QueueSchema>;

/** What of the tenant's runs goes next, and what would go now. */
export const RetentionStateSchema = z.strictObject({
  detailDays: z.int().positive(),
  runDays: z.int().positive(),
  eventDays: z.int().positive(),
  /** Runs whose details, or rows, are old enough; those that live runs refer to are kept all the same. */
  due: z.strictObject({ details: z.int().nonnegative(), runs: z.int().nonnegative() }),
  /** The oldest run that still has its details, and when they become due; null: there is none. */
  next: z
    .strictObject({ id: z.int().positive(), kind: ExecutionKindSchema, endedAt: z.string(), dueAt: z.string() })
    .nullable(),
  /** The last daily pass, of all tenants. */
  lastPass: z.strictObject({ day: z.string(), at: z.string(), state: z.enum(["running", "done"]) }).nullable(),
});
export type RetentionState = z.infer<typeof RetentionStateSchema>;
