import { type Json, type JsonObject, JsonObjectSchema } from "@oven/contract";
import { isObject } from "@oven/engine";
import { z } from "zod";
import type { SourceEdge } from "../../importing/complete/source-graph.ts";
import { NodeKeySchema } from "../../importing/graph/part-key.ts";
import { parseSource } from "../../shared/import-source.ts";
import { refuseProblems, type SourceProblem } from "../../shared/source-problem.ts";

const TypeSchema = z.enum(["Pass", "Task", "Choice", "Wait", "Succeed", "Fail", "Parallel", "Map"]);

const MachineSchema = z.looseObject({
  Comment: z.string().optional(),
  QueryLanguage: z.enum(["JSONPath", "JSONata"]).optional(),
  StartAt: z.string(),
  States: z.record(
    NodeKeySchema.min(1).max(200),
    z.looseObject({
      Type: TypeSchema,
      Next: z.string().optional(),
      Default: z.string().optional(),
      QueryLanguage: z.enum(["JSONPath", "JSONata"]).optional(),
      Choices: z.array(z.looseObject({ Next: z.string() })).optional(),
      Catch: z.array(z.looseObject({ ErrorEquals: z.array(z.string()).min(1), Next: z.string() })).optional(),
    }),
  ),
});

export interface MachineState {
  name: string;
  type: z.infer<typeof TypeSchema>;
  spec: JsonObject;
  path: string;
  isJsonata: boolean;
  /** The key of another state of the same machine, by its name. */
  keyOf(name: string): string;
  /** Where the machine that it is in stands. */
  machine: string;
  /** Machines in it, in the order in which they are written. */
  machines: InnerMachine[];
  /** The state whose branch or item processor it is in. */
  parent: string | undefined;
}

/** A machine within a state: a branch, or what the rounds of a Map do. */
export interface InnerMachine {
  path: string;
  /** The key of its first state. */
  start: string;
}

/** A state machine: its states, those of branches and item processors among them, and what leads where. */
export class Machine {
  readonly start: string;
  readonly comment: string | null;
  /** By key: the name of a state, or for an inner one its path. */
  readonly states = new Map<string, MachineState>();
  readonly edges: SourceEdge[] = [];
  readonly #problems: SourceProblem[] = [];

  /** @throws OvenError SOURCE_INVALID with every place that is not sound */
  constructor(value: Json) {
    const { StartAt, Comment } = parseSource(value, MachineSchema);
    this.start = StartAt;
    this.comment = Comment?.trim() || null;
    this.#add(value, "$", undefined, false);
    refuseProblems(this.#problems);
  }

  /** Ways out of a state, in the order in which they are looked at. */
  from(key: string): SourceEdge[] {
    return this.edges.filter(({ from }) => from === key);
  }

  #add(value: Json, path: string, parent: string | undefined, around: boolean): void {
    const { States: states, StartAt: start, QueryLanguage: language } = parseSource(value, MachineSchema);
    const isJsonata = language === undefined ? around : language === "JSONata";
    const keyOf = (name: string) => (parent === undefined ? name : `${path}.States.${name}`);
    const check = (name: string, at: string) => {
      if (Object.hasOwn(states, name)) return;
      this.#problems.push({ path: at, message: `There is no state ${name}`, fix: "Name a state that is there." });
    };
    check(start, `${path}.StartAt`);
    for (const [name, state] of Object.entries(states)) {
      const at = `${path}.States.${name}`;
      const own = state.QueryLanguage === undefined ? isJsonata : state.QueryLanguage === "JSONata";
      const spec = JsonObjectSchema.parse(state);
      const inner = machinesIn(spec).map(([where, machine]) => ({ path: `${at}${where}`, machine }));
      const machines = inner.map(({ path: where, machine }) => ({
        ...{ path: where, start: `${where}.States.${String(machine.StartAt)}` },
      }));
      this.states.set(keyOf(name), {
        machines,
        ...{ name, type: state.Type, spec, path: at, isJsonata: own, parent, keyOf, machine: path },
      });
      const ways: [string, string][] = (state.Choices ?? []).map(({ Next }, index) => [
        `${at}.Choices[${index}].Next`,
        Next,
      ]);
      if (state.Default !== undefined) ways.push([`${at}.Default`, state.Default]);
      for (const [index, { Next }] of (state.Catch ?? []).entries()) ways.push([`${at}.Catch[${index}].Next`, Next]);
      if (state.Next !== undefined) ways.push([`${at}.Next`, state.Next]);
      for (const [way, to] of ways) {
        check(to, way);
        this.edges.push({ path: way, from: keyOf(name), to: keyOf(to), output: way });
      }
      for (const { path: where, machine } of inner) this.#add(machine, where, keyOf(name), own);
    }
  }
}

/** Machines in a state, by where they stand in it. */
function machinesIn(spec: JsonObject): [string, JsonObject][] {
  const branches = Array.isArray(spec.Branches) ? spec.Branches : [];
  const named = ["ItemProcessor", "Iterator"].flatMap((key): [string, JsonObject][] => {
    const machine = spec[key];
    return isObject(machine) ? [[`.${key}`, machine]] : [];
  });
  return [
    ...branches.flatMap((one, index): [string, JsonObject][] => (isObject(one) ? [[`.Branches[${index}]`, one]] : [])),
    ...named,
  ];
}
