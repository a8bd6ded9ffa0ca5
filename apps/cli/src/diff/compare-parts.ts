import { diffJson, type Json, type JsonObject } from "@oven/contract";
import {
  compareDefinitions,
  type PromotedWorkflow,
  type VersionChange,
  type VersionComparison,
} from "@oven/contract/workflow";
import { hashJson } from "@oven/engine";
import type { Parts } from "./read-parts.ts";

/** One thing that differs. */
export interface PartDiff {
  kind: "workflow" | "agent-workflow" | "agent" | "trigger" | "table";
  name: string;
  change: "added" | "removed" | "changed";
  /** Of a workflow: what differs beside its definition. */
  fields: VersionChange[];
  /** Of a workflow. */
  states: Omit<VersionComparison, "from" | "to"> | null;
}

/** A workflow that differs, with both definitions to be drawn; `{}` where it is not there. */
export interface WorkflowDiff extends PartDiff {
  from: JsonObject;
  to: JsonObject;
}

export interface Difference {
  workflows: WorkflowDiff[];
  others: PartDiff[];
  /** How many are in both, and equal. */
  same: number;
}

/** What differs from one side to the other, by the server's own comparison of definitions. */
export function compareParts(from: Parts, to: Parts): Difference {
  const found: Difference = { workflows: [], others: [], same: 0 };
  for (const [one, other] of pairs(from.workflows, to.workflows)) {
    const diff = compareWorkflows(one, other);
    if (diff === null) found.same += 1;
    else found.workflows.push(diff);
  }
  const others = [
    ["agent", from.agents, to.agents],
    ["trigger", from.triggers, to.triggers],
    ["table", from.tables, to.tables],
  ] as const;
  for (const [kind, before, after] of others)
    for (const [one, other, name] of pairs<object>(before, after)) {
      const fields = diffJson(toJson(one), toJson(other));
      if (fields.length === 0) found.same += 1;
      else found.others.push({ kind, name, change: changeOf(one, other), fields: inFields(fields), states: null });
    }
  return found;
}

function compareWorkflows(one: PromotedWorkflow | undefined, other: PromotedWorkflow | undefined): WorkflowDiff | null {
  const [from, to] = [one?.definition ?? {}, other?.definition ?? {}];
  const states = compareDefinitions(from, to);
  const fields = inFields(diffJson(fieldsOf(one), fieldsOf(other)));
  const isEmpty = fields.length === 0 && Object.values(states).every((list) => list.length === 0);
  if (isEmpty && one !== undefined && other !== undefined) {
    if (hashJson(from) === hashJson(to)) return null;
    // `meta` alone: where cards stand, notes beside them.
    fields.push({ path: "layout" });
  }
  const { kind, slug: name } = (other ?? one) as PromotedWorkflow; // cast: one side has it
  return { kind, name, change: changeOf(one, other), fields, states, from, to };
}

function fieldsOf(workflow: PromotedWorkflow | undefined): JsonObject | undefined {
  if (workflow === undefined) return undefined;
  const { name, description, tags } = workflow;
  return { name, description, tags };
}

/** One that is only on one side is shown by its fields, too. */
function inFields(changes: readonly VersionChange[]): VersionChange[] {
  return changes.flatMap((change) => {
    if (change.path !== "") return [change];
    return change.from === undefined ? diffJson({}, change.to) : diffJson(change.from, {});
  });
}

function changeOf(one: object | undefined, other: object | undefined): PartDiff["change"] {
  return one === undefined ? "added" : other === undefined ? "removed" : "changed";
}

function toJson(value: object | undefined): Json | undefined {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function pairs<T>(
  from: ReadonlyMap<string, T>,
  to: ReadonlyMap<string, T>,
): [one: T | undefined, other: T | undefined, name: string][] {
  const names = [...new Set([...from.keys(), ...to.keys()])].toSorted();
  return names.map((name) => [from.get(name), to.get(name), name]);
}
