import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import {
  isContainer,
  isLoop,
  ownTransitions,
  type Slot,
  type StatePlace,
  type TransitionPlace,
  transitionsOf,
  WORKFLOW,
} from "@oven/scope";
import { FIRST_GUARD } from "../inspector/guard-kinds.ts";
import { describeGuard, matchesOutcome, toOutcomeTitle } from "./describe-guard.ts";
import type { EdgeTone, GraphHandle } from "./graph-model.ts";

const TONES: Record<Slot, EdgeTone> = {
  "invoke.onDone": "done",
  "loop.onDone": "done",
  onDone: "done",
  always: "always",
  on: "event",
  after: "timer",
  "invoke.onError": "error",
  "loop.onError": "error",
  onError: "error",
  undo: "undo",
  target: "always",
};

function prefixOf({ slot, key }: TransitionPlace): string {
  if (TONES[slot] === "error") return t("error");
  if (slot === "undo") return t("undo");
  if (slot === "on") return key ?? "";
  if (slot === "after") return t("after {{time}}", { time: /^\d+$/.test(key ?? "") ? `${key} ms` : key });
  return "";
}

/** The handles of what the definition handles itself, in the order of its card. */
export function handlesOfWorkflow(document: JsonObject): { handle: GraphHandle; transition: TransitionPlace }[] {
  return ownTransitions(document).map((transition) => {
    const { slot, key, index, of, guard } = transition;
    const word = isObject(guard) ? describeGuard(guard) : of > 1 && index > 0 ? t("otherwise") : "";
    const label = [key ?? "", word].filter((part) => part !== "").join(": ");
    const outlet = { from: WORKFLOW, slot, key, transition };
    return { handle: { id: `on.${key}.${index}`, label, tone: TONES[slot], outlet, offered: false }, transition };
  });
}

/** What takes everything else is called as the node type calls it, where the other branches are its own. */
function otherwiseOf(place: StatePlace, transitions: readonly TransitionPlace[], type: NodeType | undefined): string {
  const own = type?.outcomes ?? [];
  const usesOwn = transitions.some(({ guard }) => toOutcomeTitle(guard, place.id, type) !== null);
  return (usesOwn ? own.find(({ guard }) => guard === undefined)?.title : undefined) ?? t("otherwise");
}

function toHandle(
  place: StatePlace,
  transition: TransitionPlace,
  type: NodeType | undefined,
  otherwise: string,
): GraphHandle {
  const { slot, key, index, of, guard } = transition;
  const word = isObject(guard)
    ? (toOutcomeTitle(guard, place.id, type) ?? describeGuard(guard))
    : of > 1 && index > 0
      ? otherwise
      : "";
  return {
    id: `${slot}${key === null ? "" : `.${key}`}.${index}`,
    label: [prefixOf(transition), word].filter((part) => part !== "").join(": "),
    tone: TONES[slot],
    outlet: { from: place.id, slot, key, transition },
    offered: false,
  };
}

/** The handles of a state in the order of its card; `offer` adds those that a line can still be drawn from. */
export function handlesOf(
  place: StatePlace,
  type: NodeType | undefined,
  offer: boolean,
): { handle: GraphHandle; transition: TransitionPlace | null }[] {
  const transitions = transitionsOf(place);
  const otherwise = otherwiseOf(place, transitions, type);
  const drawn = transitions.map((transition) => ({ handle: toHandle(place, transition, type, otherwise), transition }));
  if (!offer) return drawn;
  const offered = offersOf(place, type, transitions).map((handle) => ({ handle, transition: null }));
  // Errors come after everything else, and what undoes the step last.
  const rank = ({ handle: { tone } }: { handle: GraphHandle }): number =>
    tone === "undo" ? 2 : tone === "error" ? 1 : 0;
  return [0, 1, 2].flatMap((one) => [...drawn, ...offered].filter((entry) => rank(entry) === one));
}

function offersOf(
  place: StatePlace,
  type: NodeType | undefined,
  transitions: readonly TransitionPlace[],
): GraphHandle[] {
  const { state } = place;
  if (state.type === "final") return [];
  const make = (slot: Slot, label: string, name = "", guard?: Json): GraphHandle => ({
    id: `+${slot}${name}`,
    label,
    tone: TONES[slot],
    outlet: { from: place.id, slot, key: null, transition: null, ...(guard === undefined ? {} : { guard }) },
    offered: true,
  });
  if (state.type === "history") return transitions.length === 0 ? [make("target", t("default"))] : [];
  const has = (slot: Slot): boolean => transitions.some((transition) => transition.slot === slot);
  if (isObject(state.invoke))
    return [
      ...offersOfInvoke(place, type, transitions, make),
      ...(has("invoke.onError") ? [] : [make("invoke.onError", t("error"))]),
    ];
  // A region leads on when all of them are done, through its parallel state.
  if (isContainer(place) && place.parent?.state.type === "parallel") return [];
  if (isContainer(place)) {
    const [done, error]: [Slot, Slot] = isLoop(place) ? ["loop.onDone", "loop.onError"] : ["onDone", "onError"];
    return [...(has(done) ? [] : [make(done, "")]), ...(has(error) ? [] : [make(error, t("error"))])];
  }
  // Behind the branch that takes everything else, none would be tried: the next one has a condition, and goes before it.
  if (has("always"))
    return [
      endsOpen(transitions, "always")
        ? make("always", t("another branch"), ":branch", FIRST_GUARD)
        : make("always", t("otherwise")),
    ];
  return has("on") || has("after") ? [] : [make("always", "")];
}

function endsOpen(transitions: readonly TransitionPlace[], slot: Slot): boolean {
  return transitions.findLast((transition) => transition.slot === slot)?.guard === undefined;
}

function offersOfInvoke(
  { id }: StatePlace,
  type: NodeType | undefined,
  transitions: readonly TransitionPlace[],
  make: (slot: Slot, label: string, name?: string, guard?: Json) => GraphHandle,
): GraphHandle[] {
  const done = transitions.filter(({ slot }) => slot === "invoke.onDone");
  const outcomes = type?.outcomes ?? [];
  const otherwise = outcomes.find(({ guard }) => guard === undefined)?.title ?? t("otherwise");
  // A model's answer is mostly taken as it is; a person's decision, or a test, rarely.
  if (done.length === 0 && (outcomes.length === 0 || type?.kind === "model")) return [make("invoke.onDone", "")];
  if (done.length > 0 && done.every(({ guard }) => guard === undefined)) return [];
  const missing = outcomes.filter(
    ({ guard }) => isObject(guard) && !done.some((branch) => matchesOutcome(branch.guard, id, guard)),
  );
  return [
    ...missing.map((outcome) =>
      make("invoke.onDone", outcome.title, `:${outcome.id}`, toGuard(id, isObject(outcome.guard) ? outcome.guard : {})),
    ),
    ...(endsOpen(done, "invoke.onDone") && done.length > 0 ? [] : [make("invoke.onDone", otherwise, ":otherwise")]),
    // One line for all of them: what takes everything else takes everything while it is alone.
    ...(done.length === 0 && missing.length > 0 ? [make("invoke.onDone", t("any outcome"), ":any")] : []),
  ];
}

/** The preset of an outcome as a guard over a state's result. */
function toGuard(id: string, { key, operator, value }: JsonObject): JsonObject {
  const path = `$.${id}_output.${String(key).replace(/^output\./, "")}`;
  return {
    type: "condition",
    params: { key: path, operator: operator ?? "exists", ...(value === undefined ? {} : { value }) },
  };
}
