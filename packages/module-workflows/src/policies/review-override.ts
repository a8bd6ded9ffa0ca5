import { isGranted, type JsonObject, OvenError, type Principal } from "@oven/contract";
import type { RunOptions } from "@oven/contract/run";
import type { AuditTrail } from "@oven/module-registry";
import { reviewsBefore, reviewsOf, reviewsPassedBy } from "./passed-reviews.ts";
import { ancestorsOf, type Place } from "./policy-graph.ts";
import type { PolicyService } from "./policy-service.ts";

export const OVERRIDE = "executions.override";

/** How a run begins that does not begin where its published definition does. */
export interface Beginning {
  workflow: { name: string; version: number; definition: JsonObject };
  /** What is published now. */
  current: { version: number; definition: JsonObject };
  options: RunOptions | null;
  /** Versions of called workflows that it calls instead of those that are published now. */
  pins?: Readonly<Record<string, number>> | undefined;
  /** For a run that continues another one. */
  goesOn?: {
    /** Ids of the states where it begins. */
    standing: readonly string[];
    /** How often each state was entered before. */
    visits: Readonly<Record<string, number>>;
    /** Ids of the states that asked a person, or whose child runs did. */
    asked: readonly string[];
    /** Neither its version nor its context is another one: reviews that it did not come to are not passed over. */
    unchanged: boolean;
  };
  /** What the audit log names: a run that is gone on from, or a workflow. */
  target: { type: string; id: number };
}

/** Lets a run begin behind a review only where the principal may pass over reviews, and writes down that it did. */
export class ReviewOverride {
  readonly #policies: PolicyService;
  readonly #trail: () => AuditTrail | undefined;

  constructor(policies: PolicyService, trail: () => AuditTrail | undefined) {
    this.#policies = policies;
    this.#trail = trail;
  }

  /** @throws OvenError REVIEW_PASSED_OVER 403, POLICY_UNDECIDED 422 */
  async require(principal: Principal, beginning: Beginning): Promise<void> {
    const passed = await this.passed(principal, beginning);
    if (passed.length === 0) return;
    const { target, workflow } = beginning;
    if (!isGranted(principal.permissions, OVERRIDE)) throw passedOver(workflow.name, passed);
    await this.note(principal, passed, { target, version: workflow.version });
  }

  /** Writes down that a principal who may has passed over these reviews. */
  async note(
    principal: Principal,
    passed: readonly string[],
    { target, version }: { target: Beginning["target"]; version: number },
  ): Promise<void> {
    await this.#trail()?.record({
      tenantId: principal.tenantId,
      action: `${OVERRIDE} ${passed.join(", ")}`.slice(0, 500),
      outcome: "done",
      status: null,
      errorCode: null,
      actorKind: principal.kind,
      userId: principal.userId,
      keyId: principal.keyId ?? null,
      targetType: target.type,
      targetId: String(target.id),
      targetVersion: version,
      address: null,
      userAgent: null,
    });
  }

  /** The reviews that the run would not ask for, by their labels. Nothing is written. */
  async passed(
    principal: Principal,
    { workflow, current, options, pins: called = {}, goesOn }: Beginning,
  ): Promise<string[]> {
    // Without effects there is nothing to release.
    if (options?.dryRun === true || options?.refuseEffects === true) return [];
    const { from, pins = {} } = options ?? {};
    const isOlder = workflow.version > 0 && workflow.version !== current.version;
    const begins = [...(from === undefined ? [] : [from]), ...Object.keys(pins)];
    if (begins.length === 0 && goesOn === undefined && !isOlder) return [];
    const isReview = (src: string): boolean => this.#policies.isReview(src, principal.tenantId);
    const graph = await this.#policies.graph(principal, workflow.definition, { pins: called });
    const reviews = reviewsOf(graph, isReview, new Set(goesOn?.asked));
    // A pin stands for a state with all that is in it, a called workflow too.
    const isPinned = (place: Place): boolean => Object.hasOwn(pins, place.label);
    // Where only the run knows what is called, that may ask.
    const possible = [...reviews, ...graph.places.filter(callsUnknown)];
    const passed = new Set(possible.filter((review) => isPinned(review) || ancestorsOf(review).some(isPinned)));
    for (const state of begins) for (const review of reviewsBefore(graph, possible, [state])) passed.add(review);
    for (const review of reviewsBefore(graph, reviews, goesOn?.standing ?? []))
      if (goesOn !== undefined && (!goesOn.unchanged || hasRun(review.label, goesOn))) passed.add(review);
    const visited = reviews.filter(({ label }) => isVisited(label, goesOn?.visits ?? {}));
    for (const review of reviewsPassedBy(graph, visited, goesOn?.standing ?? [])) passed.add(review);
    const labels = new Set([...passed].map(({ label }) => label));
    // Its own version may be the published one, and what it calls older.
    const published = [
      ...(isOlder ? [current.definition] : []),
      ...(Object.keys(called).length > 0 ? [workflow.definition] : []),
    ];
    const has = new Set(reviews.map(({ label }) => label));
    for (const definition of published) {
      const now = reviewsOf(await this.#policies.graph(principal, definition), isReview);
      for (const { label } of now) if (!has.has(label)) labels.add(label);
    }
    return [...labels].sort();
  }
}

function callsUnknown({ part, call }: Place): boolean {
  return part === "state" && call?.node.calls?.(call.input).length === 0;
}

function hasRun(label: string, { visits, asked }: NonNullable<Beginning["goesOn"]>): boolean {
  return isVisited(label, visits) || asked.includes(stateOf(label));
}

function isVisited(label: string, visits: Readonly<Record<string, number>>): boolean {
  const state = stateOf(label);
  return Object.hasOwn(visits, state) && (visits[state] ?? 0) > 0;
}

/** The state that called the workflow which a label is in. */
function stateOf(label: string): string {
  return label.split("/")[0] ?? label;
}

function passedOver(name: string, reviews: readonly string[]): OvenError {
  return new OvenError(
    "REVIEW_PASSED_OVER",
    `This run of ${name} would pass over ${reviews.length === 1 ? "a review" : "reviews"}: ${reviews.join(", ")}`,
    {
      status: 403,
      fix: `Begin before the review, so that it is asked again, or ask an owner or admin: it needs ${OVERRIDE}.`,
      details: { permission: OVERRIDE, reviews: [...reviews] },
    },
  );
}
