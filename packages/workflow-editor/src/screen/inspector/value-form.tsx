import type { Json, JsonObject, Problem } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import { type Address, findState, getAt, removeAt, setAt, toPath } from "@oven/scope";
import { type ReactElement, type ReactNode, useMemo } from "react";
import type { EditorStore } from "../../editor/editor-store.ts";
import type { TypedChange } from "../../editor/pending-text.ts";
import type { BranchPlace } from "../../inspector/branches.ts";
import { heldDefault } from "../../inspector/held-default.ts";
import { type After, type Variable, valueIn, valuesOfPath, variablesAt } from "../../inspector/variables.ts";
import { FieldView } from "./field-view.tsx";
import { FormContext, type FormContextValue } from "./form-context.ts";
import { ObjectFields, type ObjectFieldsProps } from "./object-fields.tsx";
import type { CalledOutput, SampleOf } from "./use-called-outputs.ts";
import type { ConfigKeys } from "./use-config-keys.ts";
import type { Past } from "./use-past.ts";

/** What every part of the inspector is about. */
export interface Subject {
  store: EditorStore;
  /** Null: the workflow itself. */
  stateId: string | null;
  nodeTypes: readonly NodeType[] | undefined;
  problems: readonly Problem[];
  past: Past | undefined;
  config: ConfigKeys;
  /** What called workflows, agents and tools answer. */
  calledOutput: CalledOutput;
  sampleOf: SampleOf;
  /** Asks for a new step at the end of a branch; absent where no step can be added. */
  onNewStep?: ((branch: BranchPlace) => void) | undefined;
}

/** A value within the state, or the workflow: `["invoke", "input"]`. */
export interface FormPlace extends Subject {
  at: Address;
  /** Whether the definition fixes its values. */
  fixed?: boolean;
  /** The state that a condition follows. */
  after?: After | null;
}

function baseOf(document: JsonObject, stateId: string | null): Address | undefined {
  return stateId === null ? [] : findState(document, stateId)?.address;
}

/** Gives the fields inside what they write to, read from and are told by. */
export function ValueForm({
  store,
  stateId,
  at,
  nodeTypes,
  problems,
  past,
  config,
  calledOutput,
  sampleOf,
  fixed = false,
  after = null,
  children,
}: FormPlace & { children: ReactNode }): ReactElement {
  // Addresses are made anew by every render; their text is not.
  const key = JSON.stringify(at);
  const form = useMemo((): FormContextValue => {
    const within: Address = JSON.parse(key);
    const toChange = (inner: Address, value: Json | undefined): TypedChange => ({
      key: `${stateId ?? ""}.${[...within, ...inner].join(".")}`,
      label: t("Change {{part}} of {{field}}", {
        part: inner.join(".") || within.at(-1) || "",
        field: stateId ?? t("the workflow"),
      }),
      edit: (document) => write(document, stateId, within, inner, value),
    });
    const problemsAt = (inner: Address): Problem[] => {
      const base = baseOf(store.document, stateId);
      if (base === undefined) return [];
      const where = toPath([...base, ...within, ...inner]);
      return problems.filter((problem) => problem.path === where);
    };
    return {
      write: (inner, value) => {
        const { key: gesture, label, edit } = toChange(inner, value);
        // It was made of what the fields show.
        store.flush();
        store.apply(label, { document: edit(store.document) }, gesture);
      },
      type: (inner, value) => store.type(toChange(inner, value)),
      typed: (inner) => {
        // What is typed moves no state.
        const base = baseOf(store.document, stateId);
        return base === undefined ? undefined : getAt(store.typed, [...base, ...within, ...inner]);
      },
      subscribe: store.subscribe,
      read: (inner) => {
        const base = baseOf(store.document, stateId);
        return base === undefined ? undefined : getAt(store.document, [...base, ...within, ...inner]);
      },
      seal: () => store.seal(),
      placeholderOf: (field) => {
        const base = baseOf(store.document, stateId);
        const agent = base === undefined ? undefined : getAt(store.document, [...base, ...within, "agent"]);
        return heldDefault(field, store.document, agent);
      },
      problemAt: (inner) => problemsAt(inner)[0] ?? null,
      problemsAt,
      variables: () => variablesAt(store.document, stateId, nodeTypes, { after, config, calledOutput, sampleOf }),
      choicesOf: (path) =>
        valuesOfPath(path, store.document, stateId, nodeTypes, { after, config, calledOutput, sampleOf }),
      lastValue: (variable) => lastValueOf(variable, past, config),
      fixed,
      past,
      place: { stateId, after },
      FieldView,
    };
  }, [store, stateId, key, nodeTypes, problems, past, config, calledOutput, sampleOf, fixed, after]);
  return <FormContext value={form}>{children}</FormContext>;
}

/** What a variable was in the run that was chosen; of the configuration, what it is now. */
export function lastValueOf({ keys }: Variable, past: Past | undefined, config: ConfigKeys): Json | undefined {
  if (keys[0] === "$config") return config.find(({ key }) => key === keys[1])?.value;
  return past?.values === undefined ? undefined : valueIn(past.values, { keys });
}

/** An object within the state as the form of its schema. */
export function ObjectForm({
  fields,
  value,
  first,
  ...place
}: FormPlace & Pick<ObjectFieldsProps, "fields" | "value" | "first">): ReactElement {
  return (
    <ValueForm {...place}>
      <ObjectFields fields={fields} at={[]} value={value} first={first} />
    </ValueForm>
  );
}

function write(
  document: JsonObject,
  stateId: string | null,
  within: Address,
  inner: Address,
  value: Json | undefined,
): JsonObject {
  const base = baseOf(document, stateId);
  if (base === undefined) return document;
  const holder = [...base, ...within];
  if (value !== undefined) return setAt(document, [...holder, ...inner], value);
  const removed = removeAt(document, [...holder, ...inner]);
  // An empty object says nothing, of the form's own value too.
  const left = getAt(removed, holder);
  const isEmpty = within.length > 0 && typeof left === "object" && left !== null && Object.keys(left).length === 0;
  return isEmpty ? removeAt(removed, holder) : removed;
}
