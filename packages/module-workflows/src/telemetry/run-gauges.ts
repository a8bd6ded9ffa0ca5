import { defineGauge, type Gauge } from "@oven/module-registry";
import type { InstallationDeps } from "../installation/installation.routes.ts";

/** What is measured of runs, reviews and those who work on them. */
export function runGauges(installation: () => InstallationDeps): Gauge[] {
  return [
    defineGauge({
      name: "oven_workers_live",
      help: "Processes that take runs and gave a sign of life lately",
      read: async () => {
        const { workers } = await installation().workers();
        return [{ value: workers.filter(({ live, takesRuns }) => live && takesRuns).length }];
      },
    }),
    defineGauge({
      name: "oven_run_due_oldest_seconds",
      help: "For how long the run that waits longest is due without being worked on",
      read: async () => [{ value: await installation().oldestDueSeconds() }],
    }),
    defineGauge({
      name: "oven_reviews_open",
      help: "Reviews that wait for a decision",
      read: async ({ db }) => {
        const [row] = await db.system.query<{ open: number }>(
          "select count(*)::int as open from reviews where status = 'open'",
        );
        return [{ value: row?.open ?? 0 }];
      },
    }),
    defineGauge({
      name: "oven_reviews_past_deadline",
      help: "Open reviews whose deadline has passed",
      read: async ({ db }) => {
        const [row] = await db.system.query<{ late: number }>(
          "select count(*)::int as late from reviews where status = 'open' and due_at < now()",
        );
        return [{ value: row?.late ?? 0 }];
      },
    }),
  ];
}
