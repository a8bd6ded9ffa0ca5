import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { ImportReport } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import { IMPORTERS } from "../importers.ts";
import { withPlaces } from "../shared/import-source.ts";
import type { ReadSource } from "../shared/source-place.ts";
import { refuseLosses } from "./complete/refuse-losses.ts";
import { cleaned } from "./credentials.ts";
import { ImportReporter } from "./import-reporter.ts";
import type { Imported } from "./importer.ts";
import { either, PRODUCTS } from "./products.ts";
import { readDocument } from "./read-document.ts";
import { toPlaceholder } from "./to-placeholder.ts";

const AGENTS_SDK = /@openai\/agents|from\s+agents\s+import/;

export interface ForeignDraft extends Omit<Imported, "source"> {
  /** Id of the product. */
  product: string;
  productTitle: string;
  report: ImportReport;
}

/**
 * A workflow of another product as a draft of a definition, and what became of each of its elements. Pure: nothing is
 * stored, and nothing of the document is run.
 * @throws OvenError SOURCE_UNREADABLE, SOURCE_INVALID, IMPORT_INCOMPLETE with line, column and path
 */
export async function readForeign(text: string): Promise<ForeignDraft> {
  if (AGENTS_SDK.test(text.slice(0, 10_000)))
    throw unknown(
      "This is code of the OpenAI Agents SDK, as Agent Builder exports it. Code is never imported, and Agent Builder has no other export",
    );
  const read = unwrapped(readDocument(text));
  const importer = IMPORTERS.find(({ recognises }) => recognises(read.value));
  if (importer === undefined) throw unknown(`This is no workflow of ${PRODUCTS}: ${describe(read.value)}`);
  const reporter = new ImportReporter(read.placeOf);
  const readAs = await importer.load();
  const { source, ...made } = await withPlaces(read, async () => readAs(read.value, reporter));
  const imported = notEmpty(made, importer.title, reporter);
  // cast: an object stays one
  const definition = cleaned(imported.definition) as JsonObject;
  if (JSON.stringify(definition) !== JSON.stringify(imported.definition))
    reporter.note("What looks like a credential in texts was left out: the definition says where.");
  // cast: a report is JSON, and stays what it is
  const report = cleaned(reporter.report() as unknown as Json) as unknown as ImportReport;
  await withPlaces(read, async () => refuseLosses(source, definition, report));
  const { product, title: productTitle } = importer;
  return { product, productTitle, ...imported, definition, report };
}

/**
 * A document of which nothing became a step would be a workflow that ends at once and looks finished. It gets a placeholder
 * that says so, and publishing is refused until it is replaced.
 */
function notEmpty(
  imported: Omit<Imported, "source">,
  product: string,
  reporter: ImportReporter,
): Omit<Imported, "source"> {
  const { elements } = reporter.report();
  if (elements.some(({ state }) => state !== null)) return imported;
  const ignored = elements.filter(({ outcome }) => outcome === "ignored").map(({ name }) => name);
  const which = ignored.length === 0 ? "" : ` (${ignored.slice(0, 10).join(", ")})`;
  const reason = `nothing of the document became a step${which}; the report says why`;
  const id = "nothing_imported";
  const name = imported.name.slice(0, 200) || product;
  reporter.element({ name, type: "workflow", path: "$" }, "placeholder", id, [reason]);
  const invoke = toPlaceholder(product, { name, originalType: "workflow", reason });
  // cast: an invoke is JSON, only its type has optional members
  const states = { [id]: { label: name, invoke } } as unknown as JsonObject;
  return { ...imported, definition: { ...imported.definition, initial: id, states } };
}

/** Exports of several products, and copies of their APIs, have the workflow in a list of one, or under `data` or `workflow`. */
function unwrapped({ value, placeOf }: ReadSource): ReadSource {
  const inside = (path: string, inner: Json): ReadSource =>
    unwrapped({ value: inner, placeOf: (at) => placeOf(`${path}${at.slice(1)}`) });
  if (Array.isArray(value)) {
    const [only, ...others] = value;
    if (only === undefined || !isObject(only)) return { value, placeOf };
    if (others.length > 0) throw unknown(`This holds ${value.length} workflows: import each by itself`);
    return inside("$[0]", only);
  }
  if (!isObject(value) || IMPORTERS.some(({ recognises }) => recognises(value))) return { value, placeOf };
  const key = ["data", "workflow"].find((name) => Object.hasOwn(value, name) && isObject(value[name]));
  return key === undefined ? { value, placeOf } : inside(`$.${key}`, value[key] ?? null);
}

function describe(value: Json): string {
  if (!isObject(value)) return "it is not an object";
  const keys = Object.keys(value).slice(0, 8);
  return keys.length === 0 ? "it is empty" : `it has ${keys.join(", ")}`;
}

function unknown(message: string): OvenError {
  return new OvenError("SOURCE_INVALID", `Line 1, column 1: ${message}`, {
    status: 422,
    path: "$",
    fix: `Export ${either(IMPORTERS.map(({ document }) => document))}, or choose a definition, which has "states".`,
    details: { line: 1, column: 1 },
  });
}
