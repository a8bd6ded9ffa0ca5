import type { Json } from "@oven/contract";
import type { Action } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import type { Part } from "../../importing/graph/graph-parts.ts";
import { partKey } from "../../importing/graph/part-key.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { InnerMachine } from "./states-document.ts";
import { caughtOf } from "./states-errors.ts";
import type { Mapped, Mapping } from "./states-mapping.ts";

export const MAP_FIELDS =
  "InputPath ItemsPath ItemSelector Parameters ItemProcessor Iterator MaxConcurrency ResultSelector ResultPath OutputPath Catch";
export const PARALLEL_FIELDS = "InputPath Parameters Branches ResultSelector ResultPath OutputPath Catch";

/** CEL goes through so many items of a list. */
const MOST_ROUNDS = 1_000;
const LONGEST_MS = 3_600_000;

/** Rounds over a list. @throws NoEquivalent */
export function mapMap(mapping: Mapping): Mapped {
  const { state, id, data, take } = mapping;
  const { spec, name, machines } = state;
  const [machine, ...others] = machines;
  if (machine === undefined || others.length > 0) throw new NoEquivalent("what its rounds do is not said in one way");
  const processor = spec.ItemProcessor ?? spec.Iterator;
  const config = isObject(processor) && isObject(processor.ProcessorConfig) ? processor.ProcessorConfig : {};
  if (config.Mode !== undefined && config.Mode !== "INLINE")
    throw new NoEquivalent(`its rounds are executions of their own (${String(config.Mode)})`);
  const seen = data.through(spec.InputPath);
  const collection = typeof spec.ItemsPath === "string" ? seen.value(spec.ItemsPath) : seen.value("$");
  const selector = spec.ItemSelector ?? spec.Parameters;
  const item = selector === undefined ? "$.item" : seen.inRound().template(selector);
  const body = beginOf(mapping, machine, item, `A round of ${name}`);
  const notes = spec.MaxConcurrency === 1 ? [] : ["Its rounds run one after the other; there several run at once."];
  return {
    loop: {
      ...{ type: "forEach", collection, maxIterations: MOST_ROUNDS, timeoutMs: LONGEST_MS },
      body: { entry: [body.key], output: body.root },
    },
    ways: onward(mapping, { $cel: `ctx.${id}_output.items.map(one, one.output)` }, take),
    ...withBodies(mapping, [[body.key, body.part]], [{ machine: machine.path, root: body.root, isInRound: true }]),
    notes,
  };
}

/** Branches at the same time. @throws NoEquivalent */
export function mapParallel(mapping: Mapping): Mapped {
  const { state, id, data, take } = mapping;
  const { spec, name, machines } = state;
  if (machines.length === 0) throw new NoEquivalent("it has no branches");
  const seen = data.through(spec.InputPath);
  const input = spec.Parameters === undefined ? seen.value("$") : seen.template(spec.Parameters);
  const branches = machines.map((machine, index) => {
    const label = `Branch ${index + 1} of ${name}`;
    return { ...beginOf(mapping, machine, input, label), machine, label, id: take(`${name} branch ${index + 1}`) };
  });
  return {
    parallel: branches.map(({ id: region, label, key, root }) => ({ id: region, label, entry: [key], output: root })),
    ways: onward(
      mapping,
      branches.map((branch) => `$.${id}_output.${branch.id}`),
      take,
    ),
    ...withBodies(
      mapping,
      branches.map(({ key, part }) => [key, part]),
      branches.map(({ machine, root }) => ({ machine: machine.path, root })),
    ),
  };
}

/** What a machine within a state begins with: its own document. */
function beginOf({ state, take }: Mapping, { path, start }: InnerMachine, value: Json, label: string) {
  const root = `$.${take(`${state.name} data`)}`;
  const actions: Action[] = [{ type: "assign", params: { path: root, value } }];
  const part: Part = { id: take(`${state.name} begins`), label, ways: [{ targets: [start], actions }] };
  return { key: partKey(`begin ${path}`), root, part };
}

/** What follows a state with machines in it. */
function onward({ state, data }: Mapping, result: Json, take: Mapping["take"]): Part["ways"] {
  const { spec } = state;
  const targets = typeof spec.Next === "string" ? [state.keyOf(spec.Next)] : [];
  if (spec.ResultSelector === undefined) return [{ targets, actions: data.results(spec, result) }];
  const root = `$.${take(`${state.name} result`)}`;
  const selected = data.seeing({ root, segments: [] }).template(spec.ResultSelector);
  const keep: Action = { type: "assign", params: { path: root, value: result } };
  return [{ targets, actions: [keep, ...data.results(spec, selected)] }];
}

function withBodies(mapping: Mapping, begins: [string, Part][], bodies: Mapped["bodies"]): Partial<Mapped> {
  const { onError, more = [] } = caughtOf(mapping) ?? {};
  return { ...(onError === undefined ? {} : { onError }), more: [...begins, ...more], bodies };
}
