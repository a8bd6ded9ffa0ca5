import type { ModuleDeps } from "./define-module.ts";

/** One measured value. Labels are bounded: never ids of tenants, users or runs, nor names that people give. */
export interface GaugeValue {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/**
 * A number that is measured when metrics are read, such as how many reviews are late. It is about the whole installation, so every
 * process answers the same.
 */
export interface Gauge {
  /** Such as `oven_reviews_past_deadline`; unique in the installation. */
  name: string;
  help: string;
  labels?: readonly string[];
  /** Must be quick and change nothing: it runs at every scrape. What it throws leaves this one gauge out. */
  read(deps: ModuleDeps): Promise<readonly GaugeValue[]>;
}

/**
 * Declares a gauge of a module.
 * @throws RangeError the name does not begin with `oven_`, or has characters that Prometheus does not take
 */
export function defineGauge(gauge: Gauge): Gauge {
  if (!/^oven_[a-z0-9_]+$/.test(gauge.name)) throw new RangeError(`${gauge.name} is no name of a gauge: oven_…`);
  return gauge;
}
