import type { Definition, ImportedElement, ImportReport } from "@oven/contract/workflow";
import type { SourceProblem } from "../../shared/source-problem.ts";
import { DefinitionGraph, END } from "./definition-graph.ts";
import type { SourceEdge, SourceGraph, SourceNode } from "./source-graph.ts";

interface Answer {
  source: SourceGraph;
  definition: Pick<Definition, "initial" | "states">;
  report: Pick<ImportReport, "elements">;
}

/**
 * Nodes and connections of a document that are neither in the definition nor in the report as left out, and those that are told
 * of twice. It knows nothing of how the definition was made.
 */
export function findLosses(answer: Answer): SourceProblem[] {
  return new Check(answer).problems();
}

const isLeftOut = (element: ImportedElement | undefined): boolean =>
  element?.outcome === "ignored" && element.notes.some((note) => note !== "");

/** Whether one way is gone along whenever the other is. */
const isGoneAlongWith = (edge: SourceEdge, other: SourceEdge): boolean =>
  other.output === edge.output || other.isBeside === true;

class Check {
  readonly #source: SourceGraph;
  readonly #graph: DefinitionGraph;
  readonly #elements = new Map<string, ImportedElement[]>();
  readonly #nodes: ReadonlyMap<string, SourceNode>;
  /** States that stand for steps, and which. */
  readonly #steps = new Map<string, string>();
  readonly #direct = new Map<string, ReadonlySet<string>>();
  readonly #problems: SourceProblem[] = [];

  constructor({ source, definition, report }: Answer) {
    this.#source = source;
    this.#graph = new DefinitionGraph(definition);
    this.#nodes = new Map(source.nodes.map((node) => [node.key, node]));
    for (const element of report.elements)
      this.#elements.set(element.path, [...(this.#elements.get(element.path) ?? []), element]);
  }

  problems(): SourceProblem[] {
    for (const list of this.#elements.values()) this.#checkElements(list);
    for (const node of this.#source.nodes) this.#checkNode(node);
    for (const edges of Map.groupBy(this.#source.edges, ({ from }) => from).values())
      for (const edge of edges)
        this.#checkEdge(
          edge,
          edges.filter((other) => isGoneAlongWith(edge, other)),
        );
    return this.#problems;
  }

  #tell(path: string, message: string): void {
    const fix = "Report the document, without what is secret in it: the importer has to learn this.";
    this.#problems.push({ path, message, fix });
  }

  #checkElements([element, ...more]: readonly ImportedElement[]): void {
    if (element === undefined) return;
    const { name, path, state } = element;
    if (more.length > 0) this.#tell(path, `“${name}” is in the report ${more.length + 1} times`);
    if (state === null) return;
    const count = this.#graph.count(state);
    if (count !== 1)
      this.#tell(path, `“${name}” is lost: the definition has ${count === 0 ? "no" : count} states “${state}”`);
  }

  #checkNode({ name, path, kind }: SourceNode): void {
    const [element] = this.#elements.get(path) ?? [];
    if (element === undefined) {
      this.#tell(path, `“${name}” is lost: the report does not name it`);
      return;
    }
    const { outcome, state } = element;
    if (outcome === "ignored") {
      if (!isLeftOut(element)) this.#tell(path, `“${name}” is left out without a reason`);
      return;
    }
    if (kind !== "step") return;
    if (state === null) {
      this.#tell(path, `“${name}” is lost: the report says ${outcome}, and names no state`);
      return;
    }
    const other = this.#steps.get(state);
    if (other !== undefined) this.#tell(path, `“${name}” and “${other}” are one state, “${state}”`);
    this.#steps.set(state, name);
  }

  #checkEdge(edge: SourceEdge, siblings: readonly SourceEdge[]): void {
    if (edge.isAside === true || isLeftOut(this.#elements.get(edge.path)?.[0])) return;
    const [from, to] = [this.#nodes.get(edge.from), this.#nodes.get(edge.to)];
    // What leads away from a node goes with it; what leads to it is a way that ends before it does.
    if (from !== undefined && isLeftOut(this.#elements.get(from.path)?.[0])) return;
    if (from !== undefined && to !== undefined && this.#isThere(from, to, edge, siblings)) return;
    this.#tell(edge.path, `The connection from “${from?.name ?? edge.from}” to “${to?.name ?? edge.to}” is lost`);
  }

  #isThere(from: SourceNode, to: SourceNode, { isBeside }: SourceEdge, siblings: readonly SourceEdge[]): boolean {
    const direct = this.#directFrom(from);
    const target = this.#stateOf(to);
    if (to.kind === "end") return direct.has(END) || [...direct].some((id) => this.#graph.isFinal(id));
    if (target === undefined) return false;
    if (direct.has(target)) return true;
    const arrived = this.#graph.beginningsOf(target, new Set(this.#steps.keys()));
    // What is gone along beside a choice may come after each of its ways.
    if (isBeside === true && this.#alwaysLeads(from, arrived)) return true;
    // Of ways that are gone along at once, one may come after another that always leads to it.
    return siblings.some((sibling) => {
      const other = this.#nodes.get(sibling.to);
      const before = other === undefined || other === to ? undefined : this.#stateOf(other);
      return (
        before !== undefined && direct.has(before) && this.#graph.alwaysLeads(before, arrived, this.#stateOf(from))
      );
    });
  }

  #alwaysLeads(from: SourceNode, targets: ReadonlySet<string>): boolean {
    const state = this.#stateOf(from) ?? this.#graph.initial;
    return state !== undefined && this.#graph.alwaysGoesOnTo(state, targets);
  }

  #stateOf({ path, kind, of }: SourceNode): string | undefined {
    if (kind === "start" && of !== undefined) {
      const loop = this.#nodes.get(of);
      return loop === undefined ? undefined : this.#stateOf(loop);
    }
    return kind === "step" ? (this.#elements.get(path)?.[0]?.state ?? undefined) : undefined;
  }

  #directFrom(node: SourceNode): ReadonlySet<string> {
    const known = this.#direct.get(node.key);
    if (known !== undefined) return known;
    const steps = new Set(this.#steps.keys());
    const state = this.#stateOf(node);
    const { initial } = this.#graph;
    const direct =
      state !== undefined
        ? this.#graph.directFrom(state, steps)
        : node.kind === "start" && node.of === undefined && initial !== undefined
          ? new Set([initial, ...(steps.has(initial) ? [] : this.#graph.directFrom(initial, steps))])
          : new Set<string>();
    this.#direct.set(node.key, direct);
    return direct;
  }
}
