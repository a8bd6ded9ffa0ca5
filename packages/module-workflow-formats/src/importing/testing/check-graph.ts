import { isOvenError } from "@oven/contract";
import type { Definition, ImportedElement } from "@oven/contract/workflow";
import { toTransitions } from "@oven/contract/workflow";
import { type NodeCatalog, validateDefinition } from "@oven/engine";
import { type ForeignDraft, readForeign } from "../read-foreign.ts";
import type { GeneratedDocument } from "./graph-generator.ts";

/** How long reading a document of at most 14 nodes may take, in ms. A loop without end is found, a slow machine is not. */
const LIMIT_MS = 10_000;

export type GraphOutcome =
  | { type: "imported"; placeholders: number }
  | { type: "refused"; code: string; reason: string }
  | { type: "violation"; kind: string; reason: string };

const REFUSALS = new Set(["SOURCE_INVALID", "SOURCE_UNREADABLE"]);

/** Reads a generated document and judges what came of it. */
export async function checkGraph(generated: GeneratedDocument, catalog: NodeCatalog): Promise<GraphOutcome> {
  const startedAt = performance.now();
  const violation = (kind: string, reason: string): GraphOutcome => ({ type: "violation", kind, reason });
  try {
    const draft = await readForeign(JSON.stringify(generated.document));
    const reason = problemIn(draft, generated, catalog) ?? missedStep(draft, generated);
    if (reason !== undefined) return violation(reason.kind, reason.text);
    const took = performance.now() - startedAt;
    if (took > LIMIT_MS) return violation("slow", `it took ${Math.round(took)} ms`);
    return { type: "imported", placeholders: placeholdersIn(draft).length };
  } catch (error) {
    if (isOvenError(error) && REFUSALS.has(error.code))
      return { type: "refused", code: error.code, reason: error.message };
    const text = error instanceof Error ? error : new Error(String(error));
    return violation(isOvenError(error) ? error.code : "thrown", isOvenError(error) ? text.message : `${text.stack}`);
  }
}

interface Reason {
  kind: string;
  text: string;
}

const placeholdersIn = ({ report }: ForeignDraft): ImportedElement[] =>
  report.elements.filter(({ outcome }) => outcome === "placeholder");

/** What keeps a draft from being published, beside its placeholders and rounds without end that the document has, too. */
function problemIn(draft: ForeignDraft, generated: GeneratedDocument, catalog: NodeCatalog): Reason | undefined {
  const { problems } = validateDefinition(draft.definition, catalog);
  const other = problems.find(
    (problem) =>
      problem.severity !== "warning" &&
      !problem.message.startsWith("core.placeholder: ") &&
      !(ROUNDS.has(problem.rule) && goesRound(generated)),
  );
  return other && { kind: `invalid: ${other.rule}`, text: `${other.path}: ${other.message}` };
}

const ROUNDS = new Set(["endless", "spin", "disabled"]);

/** Whether steps of the document lead back to themselves, so that a run of it need not end. */
function goesRound({ links }: GeneratedDocument): boolean {
  const nextOf = (name: string) => links.flatMap((link) => (link.from === name ? [link.to] : []));
  return links.some(({ from }) => {
    const reached = new Set(nextOf(from));
    for (const name of reached) for (const next of nextOf(name)) reached.add(next);
    return reached.has(from);
  });
}

/** A step that runs come to there, and not here. */
function missedStep(draft: ForeignDraft, { starts, links, steps }: GeneratedDocument): Reason | undefined {
  const elements = new Map(draft.report.elements.map((element) => [element.path, element]));
  const isLeftOut = (path: string) => elements.get(path)?.outcome === "ignored";
  const reached = new Set(starts);
  for (const name of reached)
    for (const { from, to, path } of links) if (from === name && !isLeftOut(path)) reached.add(to);
  const states = statesReachedIn(draft.definition as unknown as Definition); // cast: validated before
  for (const name of reached) {
    const path = steps.get(name);
    if (path === undefined) continue;
    const element = elements.get(path);
    if (element === undefined) return { kind: "step not told", text: `“${name}” is not in the report` };
    const { state } = element;
    if (state === null)
      return { kind: "step left out", text: `“${name}” is ${element.outcome}: ${element.notes.join()}` };
    if (!states.has(state)) return { kind: "state not reached", text: `nothing leads to “${state}” of “${name}”` };
  }
  return undefined;
}

/** All states that runs may come to. */
function statesReachedIn({ initial, states }: Pick<Definition, "initial" | "states">): Set<string> {
  const known = new Map<string, Definition["states"][string]>();
  const list = (inner: Definition["states"]) => {
    for (const [id, state] of Object.entries(inner)) {
      known.set(id, state);
      if (state.states !== undefined) list(state.states);
      if (state.loop !== undefined) list(state.loop.bodyStates);
    }
  };
  list(states);
  const seen = new Set(initial === undefined ? [] : [initial]);
  for (const id of seen) {
    const { always, invoke, loop, onDone, onError, type, states: inner, initial: first } = known.get(id) ?? {};
    const ways = [always, onDone, onError, invoke?.onDone, invoke?.onError, loop?.onDone, loop?.onError];
    for (const { target } of ways.flatMap((way) => toTransitions(way))) if (target !== undefined) seen.add(target);
    if (loop !== undefined) seen.add(loop.bodyInitial);
    if (type === "parallel") for (const region of Object.keys(inner ?? {})) seen.add(region);
    else if (first !== undefined) seen.add(first);
  }
  return seen;
}
