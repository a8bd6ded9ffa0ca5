import type { ImportedElement, ImportOutcome, ImportReport, ImportSetting } from "@oven/contract/workflow";
import type { Place } from "../shared/source-place.ts";

interface Found {
  name: string;
  type: string;
  path: string;
}

/** Collects what becomes of a document's elements; an element is reported once, with the worst outcome that it had. */
export class ImportReporter {
  readonly #elements = new Map<string, ImportedElement>();
  readonly #settings = new Map<string, ImportSetting>();
  readonly #notes = new Set<string>();
  readonly #placeOf: (path: string) => Place;

  constructor(placeOf: (path: string) => Place) {
    this.#placeOf = placeOf;
  }

  element({ name, type, path }: Found, outcome: ImportOutcome, state: string | null, notes: readonly string[] = []) {
    const combined = outcome === "mapped" && notes.length > 0 ? "noted" : outcome;
    this.#elements.set(path, { name, type, outcome: combined, state, notes: [...notes], path, ...this.#placeOf(path) });
  }

  /** An empty reporter for the same document. */
  attempt(): ImportReporter {
    return new ImportReporter(this.#placeOf);
  }

  /** Adds all that another reporter has. */
  take(other: ImportReporter): void {
    for (const [path, element] of other.#elements) this.#elements.set(path, element);
    for (const [key, setting] of other.#settings) this.#settings.set(key, setting);
    for (const note of other.#notes) this.#notes.add(note);
  }

  /** What was said of an element that was taken over; undefined: nothing yet. */
  notesOf(path: string): readonly string[] | undefined {
    const element = this.#elements.get(path);
    return element === undefined || element.outcome === "placeholder" ? undefined : element.notes;
  }

  has(path: string): boolean {
    return this.#elements.has(path);
  }

  setting(kind: ImportSetting["kind"], name: string, advice: string, path: string): void {
    const key = JSON.stringify([kind, name]);
    if (!this.#settings.has(key)) this.#settings.set(key, { kind, name, advice, path, ...this.#placeOf(path) });
  }

  note(text: string): void {
    this.#notes.add(text);
  }

  report(): ImportReport {
    const elements = [...this.#elements.values()].sort((a, b) => a.line - b.line || a.column - b.column);
    return { elements, settings: [...this.#settings.values()], notes: [...this.#notes] };
  }
}
