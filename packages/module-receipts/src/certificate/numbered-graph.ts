import type { Edge, Place, PolicyGraph } from "@oven/module-workflows";
import type { CertifiedGraph } from "@oven/receipts";

/** A graph whose places are named by their numbers; the first is the start. */
export class Numbered {
  readonly #places: readonly Place[];
  readonly #numbers: ReadonlyMap<Place, number>;

  constructor({ start, places }: PolicyGraph) {
    this.#places = [start, ...places.filter((place) => place !== start)];
    this.#numbers = new Map(this.#places.map((place, index) => [place, index]));
  }

  /** In ascending order. */
  of(places: Iterable<Place>): number[] {
    return [...places].map((place) => this.#number(place)).sort((one, other) => one - other);
  }

  toJson(): CertifiedGraph {
    return {
      places: this.#places.map(({ part, label, call, joins, maxIterations }) => ({
        ...{ label, part },
        ...(call === undefined ? {} : { node: call.src }),
        ...(joins === undefined ? {} : { joins: this.of(joins) }),
        ...(maxIterations === undefined ? {} : { passes: maxIterations }),
      })),
      edges: this.#places.flatMap((place) => place.edges.map((edge) => this.#edge(place, edge))),
    };
  }

  #edge(from: Place, { to, review, bounded }: Edge): CertifiedGraph["edges"][number] {
    return {
      ...{ from: this.#number(from), to: this.#number(to) },
      ...(review === undefined ? {} : { review: review.deciders && [...review.deciders] }),
      ...(bounded ? { bounded: true } : {}),
    };
  }

  #number(place: Place): number {
    const number = this.#numbers.get(place);
    if (number === undefined) throw new Error(`${place.label} is no place of the graph`);
    return number;
  }
}
