import { isTraced } from "@oven/module-workflows";

export interface TelemetryExport {
  /** Sends what is left. */
  stop(): Promise<void>;
}

/**
 * Sends spans by OTLP when `OTEL_EXPORTER_OTLP_ENDPOINT` is set; the exporter reads the other `OTEL_EXPORTER_…` settings
 * itself. To be called before the runtime is made. Whether a run is sampled is decided by its trace id alone
 * (`OTEL_TRACES_SAMPLER_ARG`, 0 to 1), so that every process decides alike.
 */
export async function startTelemetry(
  environment: Readonly<Record<string, string | undefined>>,
  version: string,
): Promise<TelemetryExport | undefined> {
  if (!isTraced(environment)) return undefined;
  const { exportSpans } = await import("./export-spans.ts");
  return exportSpans(environment, version);
}
