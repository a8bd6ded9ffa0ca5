import { trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from "@opentelemetry/sdk-trace";
import { isTraced, runSpanIds } from "@oven/module-workflows";

export interface TelemetryExport {
  /** Sends what is left. */
  stop(): Promise<void>;
}

/**
 * Sends spans by OTLP when `OTEL_EXPORTER_OTLP_ENDPOINT` is set; the exporter reads the other `OTEL_EXPORTER_…` settings
 * itself. To be called before the runtime is made. Whether a run is sampled is decided by its trace id alone
 * (`OTEL_TRACES_SAMPLER_ARG`, 0 to 1), so that every process decides alike.
 */
export function startTelemetry(
  environment: Readonly<Record<string, string | undefined>>,
  version: string,
): TelemetryExport | undefined {
  if (!isTraced(environment)) return undefined;
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
