import { ownersReadIn } from "../../importing/complete/readers-of-left-out.ts";
import type { Parts } from "../../importing/graph/graph-parts.ts";
import { nodeOfPart } from "../../importing/graph/part-key.ts";
import type { Sequence, WayGroup } from "../../importing/graph/sequence-ways.ts";
import type { N8nDocument } from "./n8n-document.ts";

/**
 * The order in which n8n goes along the ways of one output. With the execution order `v1` each is gone along to its end, from top to bottom, then
 * from left to right; with `v0` the steps of all ways take turns, as they are connected.
 * Source: https://docs.n8n.io/flow-logic/execution-order/
 */
export class N8nOrder {
  readonly #document: N8nDocument;
  readonly #parts: Parts;

  /** @param parts what its nodes became; it may change meanwhile */
  constructor(document: N8nDocument, parts: Parts) {
    this.#document = document;
    this.#parts = parts;
  }

  inOrder(targets: readonly string[]): readonly string[] {
    if (this.#document.executionOrder === "v0") return targets;
    const places = new Map(
      targets.map((key) => [key, this.#document.nodes.get(nodeOfPart(key))?.spec.position ?? ([0, 0] as const)]),
    );
    const [left, top] = [0, 1] as const;
    const at = (key: string, axis: 0 | 1) => places.get(key)?.[axis] ?? 0;
    return targets.toSorted((a, b) => at(a, top) - at(b, top) || at(a, left) - at(b, left));
  }

  /** Whether the ways are gone along here exactly as n8n does. */
  #isExact({ fork, first, last }: Sequence): boolean {
    const here = [...first.flatMap(({ targets }) => targets), ...last.targets];
    const isSame = this.inOrder(fork.targets).every((target, index) => target === here[index]);
    return isSame && (this.#document.executionOrder === "v1" || first.every(({ reach }) => this.#stepsIn(reach) === 1));
  }

  #stepsIn(reach: ReadonlySet<string>): number {
    return new Set([...reach].map(nodeOfPart)).size;
  }

  /** Where the order differs, no way may read what another one hands on, and one alone may answer the trigger. */
  isAllowed(sequence: Sequence): boolean {
    if (this.#isExact(sequence)) return true;
    const groups = [...sequence.first, sequence.last];
    const ownersIn = ownersReadIn(this.#parts);
    // What ran before the fork ran before all of its ways.
    const isBeside = (owner: string, { reach }: WayGroup) => reach.has(owner) && !sequence.before.has(owner);
    const reads = ({ reach }: WayGroup, other: WayGroup) =>
      [...reach].some((key) => ownersIn(key).some((owner) => isBeside(owner, other) && !reach.has(owner)));
    const answers = groups.filter(({ reach }) =>
      [...reach].some((key) => this.#document.nodes.get(key)?.type === "respondToWebhook"),
    );
    return answers.length < 2 && !groups.some((one) => groups.some((other) => one !== other && reads(one, other)));
  }

  /** What the report says of ways in another order; undefined: they are gone along as in n8n. */
  noteOn(sequence: Sequence): string | undefined {
    if (this.#isExact(sequence)) return undefined;
    const { fork, first, last } = sequence;
    const named = (targets: readonly string[]) =>
      targets.map((key) => this.#document.nodes.get(nodeOfPart(key))?.name ?? key).join(", ");
    const here = named([...first.flatMap(({ targets }) => targets), ...last.targets]);
    const there =
      this.#document.executionOrder === "v0" ? "lets the steps of its ways take turns" : "goes on to them in the order";
    const order = this.#document.executionOrder === "v0" ? "" : ` ${named(this.inOrder(fork.targets))}`;
    return `After “${nodeOfPart(fork.from) || "the start"}” the ways are gone along one after the other here: ${here}. n8n ${there}${order}.`;
  }
}
