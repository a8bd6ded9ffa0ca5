import { isOvenError } from "@oven/contract";
import type { ImportedElement } from "@oven/contract/workflow";
import { readForeign } from "./read-foreign.ts";

export interface MeasuredFile {
  name: string;
  text: string;
}

interface Measured {
  product: string;
  /** Nothing was refused, and no step is a placeholder. */
  isWhole: boolean;
  /** Whole, and no credential or other setting has to be made. */
  isReady: boolean;
  elements: readonly ImportedElement[];
}

/** What becomes of many documents, product by product. */
export class ImportMeasurement {
  readonly #measured: Measured[] = [];
  readonly #refused = new Map<string, string[]>();
  readonly #times: number[] = [];
  /** Files that an import lost something of, and those that it broke down on. */
  readonly violations: string[] = [];

  /** Imports a document and keeps what became of it, not the document. */
  async add({ name, text }: MeasuredFile): Promise<void> {
    const startedAt = performance.now();
    try {
      const { product, report } = await readForeign(text);
      const isWhole = !report.elements.some(({ outcome }) => outcome === "placeholder");
      const isReady = isWhole && report.settings.length === 0;
      this.#measured.push({ product, isWhole, isReady, elements: report.elements });
    } catch (error) {
      if (!isOvenError(error)) {
        this.violations.push(`${name}: ${String(error)}`);
        return;
      }
      const reason = `${error.code}: ${generalOf(error.message)}`;
      this.#refused.set(reason, [...(this.#refused.get(reason) ?? []), name]);
      if (error.code === "IMPORT_INCOMPLETE") this.violations.push(name);
    } finally {
      this.#times.push(performance.now() - startedAt);
    }
  }

  /** Lines for a person: shares, the reasons by how many steps they cost, and times. @param top how many reasons of a product */
  lines(top: number): string[] {
    const products = Map.groupBy(this.#measured, ({ product }) => product);
    return [
      ...[...products].flatMap(([product, files]) => linesOf(product, files, top)),
      ...ranked(this.#refused, top).map(([reason, files]) => `refused ${files.length} × ${reason} (${files[0]})`),
      `${this.#times.length} files: p50 ${this.#time(0.5)} ms, p95 ${this.#time(0.95)} ms, slowest ${this.#time(1)} ms`,
      `${this.violations.length} lost a node or a connection, or broke the import`,
      ...this.violations.map((name) => `  ${name}`),
    ];
  }

  /** In milliseconds. */
  #time(quantile: number): string {
    const sorted = this.#times.toSorted((a, b) => a - b);
    return (sorted[Math.ceil(quantile * sorted.length) - 1] ?? 0).toFixed(1);
  }
}

function linesOf(product: string, files: readonly Measured[], top: number): string[] {
  const steps = files.flatMap(({ elements }) => elements.filter(isNode));
  const share = (count: number, all: number) => `${count} (${((100 * count) / Math.max(1, all)).toFixed(1)} %)`;
  const count = (list: readonly { outcome: string }[], outcome: string) =>
    list.filter((element) => element.outcome === outcome).length;
  const open = steps.filter(({ outcome }) => outcome === "placeholder");
  const reasons = Map.groupBy(open, ({ type, notes }) => `${type}: ${generalOf(notes[0] ?? "")}`);
  const types = Map.groupBy(open, ({ type }) => type);
  return [
    `${product}: ${files.length} files imported`,
    `  need no step to be filled: ${share(files.filter(({ isWhole }) => isWhole).length, files.length)}`,
    `  need nothing at all: ${share(files.filter(({ isReady }) => isReady).length, files.length)}`,
    `  nodes carried over: ${share(steps.length - open.length - count(steps, "ignored"), steps.length)}, placeholders ${share(open.length, steps.length)}, left out ${share(count(steps, "ignored"), steps.length)}`,
    ...ranked(types, top).map(([type, list]) => `  ${String(list.length).padStart(5)} × ${type}`),
    ...ranked(reasons, top).map(([reason, list]) => `  ${String(list.length).padStart(5)} × ${reason}`),
  ];
}

/** Notes on the canvas and connections are no nodes that do something. */
function isNode({ type }: ImportedElement): boolean {
  return type !== "connection" && !/stickyNote$/i.test(type);
}

/** The same sentence for each name, number and expression that stands in it. */
function generalOf(text: string): string {
  return text
    .replace(/\{\{.*\}\}/gs, "{{…}}")
    .replace(/“[^”]*”|"[^"]*"/g, "“…”")
    .replace(/\d+/g, "0")
    .slice(0, 160);
}

function ranked<T>(groups: ReadonlyMap<string, T[]>, top: number): [string, T[]][] {
  return [...groups].sort((a, b) => b[1].length - a[1].length).slice(0, top);
}
