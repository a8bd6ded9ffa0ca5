import { defineRoute, type Route } from "@oven/module-registry";
import type { RunMetrics } from "./run-metrics.ts";

export function metricsRoutes(deps: () => { metrics: RunMetrics }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "metrics",
      operation: false,
      summary: "What this process does, in the text format of Prometheus",
      // A permission, not the sender's address: behind a proxy everybody comes from the same one.
      access: { permission: "metrics.read" },
      effect: "pure",
      handler: async () => {
        const { contentType, body } = await deps().metrics.text();
        return new Response(body, { headers: { "content-type": contentType } });
      },
    }),
  ];
}
