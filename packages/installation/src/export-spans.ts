import { trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from "@opentelemetry/sdk-trace";
import { runSpanIds } from "@oven/module-workflows";
import type { TelemetryExport } from "./telemetry.ts";

/** As `startTelemetry` says; it loads two hundred files, which only installations that export spans need. */
export function exportSpans(
  environment: Readonly<Record<string, string | undefined>>,
  version: string,
): TelemetryExport {
  const ratio = Number(environment.OTEL_TRACES_SAMPLER_ARG ?? 1);
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        "service.name": environment.OTEL_SERVICE_NAME ?? "oven",
        "service.version": version,
        "service.instance.id": String(process.pid),
      }),
    ),
    sampler: new TraceIdRatioBasedSampler(Number.isFinite(ratio) ? ratio : 1),
    idGenerator: runSpanIds,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  trace.setGlobalTracerProvider(provider);
  return {
    stop: async () => {
      trace.disable();
      await provider.shutdown();
    },
  };
}
