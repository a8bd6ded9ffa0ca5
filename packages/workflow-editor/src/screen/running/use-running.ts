import { getOwn, isObject, type Json, type JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { type Execution, type ExecutionSummary, isTerminal, type RunDefinition } from "@oven/contract/run";
import type { DraftTurn, TestData, Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { findState } from "@oven/scope";
import { api } from "@oven/ui/api/api-client.ts";
import { type ActionState, useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useMemo, useState, useSyncExternalStore } from "react";
import { useStore } from "react-admin";
import { readExamples } from "../../definition/read-examples.ts";
import type { ServerCheck } from "../../definition/use-server-check.ts";
import type { EditorStore } from "../../editor/editor-store.ts";
import type { RunActions } from "../../editor/run-actions.ts";
import { toGraph } from "../../graph/to-graph.ts";
import { toBases, toStale } from "../../overlay/basis.ts";
import { type CanvasOverlay, NO_OVERLAY, type PinMark } from "../../overlay/canvas-overlay.ts";
import { type ShownRun, useShownRun } from "../../run/use-shown-run.ts";
import type { Draft } from "../use-draft.ts";
import { type ChosenItems, nodeRunsOf, statesOfLoops } from "./loop-items.ts";
import { toOutputs, toRunPath, toRunProgress } from "./run-overlay.ts";
import { type TestDataState, useTestData } from "./use-test-data.ts";

/** Outputs that stand in for calls of nodes in runs of the draft, by state id. */
export type Pins = TestData["pins"];

/** Which part of the graph is run. */
export interface Stretch {
  from?: string;
  until?: string;
  /** Of each loop around `until`, the one item that is run. */
  items?: ChosenItems;
  /** Nothing has an effect. */
  dryRun?: boolean;
}

/** What a run begins with, instead of what the form and the pins say. */
interface Given {
  input: JsonObject;
  pins: JsonObject;
}

export interface Running {
  /** What is run next. */
  input: JsonObject;
  setInput: (input: JsonObject) => void;
  /** A new number: the input was set from elsewhere, and a form begins anew. */
  inputSource: number;
  /** Counts how often a run was asked for while the input lacked something. */
  inputAsked: number;
  pins: Pins;
  setPin: (stateId: string, output: Json | undefined) => void;
  clearPins: () => void;
  /** Inputs under a name, and what became of keeping them. */
  testData: TestDataState;
  /** Puts an input into the form. */
  chooseInput: (input: JsonObject) => void;
  /** The state whose pinned output is being written. */
  pinEdited: string | null;
  editPin: (stateId: string | null) => void;
  shown: ShownRun & { id: number | null };
  start: ActionState<[Stretch, Given?]>;
  /** Runs one step alone, with what it was given in a run; in loops for the items that are named. */
  runAlone: (stateId: string, run: Execution, items: ChosenItems) => void;
  /** Says something to the draft: a run of it, as a turn of a test conversation. @throws ApiError */
  say: (turn: DraftTurn) => Promise<ExecutionSummary>;
  stop: ActionState<[]>;
  /** Makes a past run's input the next one's, and its outputs pins. */
  load: (run: Execution, definition: JsonObject) => void;
  /** Draws a run that was started elsewhere. */
  follow: (id: number) => Promise<void>;
  /** The same; what went wrong is said on the canvas. */
  show: (id: number) => void;
  /** The run that is to be continued with the draft. */
  mending: Execution | null;
  mend: (run: Execution | null) => void;
  mayContinue: boolean;
  /** Takes the run off the canvas. */
  clear: () => void;
  actions: RunActions;
  overlay: CanvasOverlay;
}

export interface RunningOptions {
  kind: WorkflowKind;
  workflow: Workflow;
  store: EditorStore;
  draft: Draft;
  check: ServerCheck;
  nodeTypes: readonly NodeType[] | undefined;
  /** The run is to be seen. */
  onShow: () => void;
}

/** Whether it ended without completing, and is no part of another. */
function isBroken({ status, parentId }: Execution): boolean {
  return (status === "failed" || status === "cancelled") && parentId === null;
}

function plural(count: number): string {
  return count === 1 ? t("one problem") : `${count} problems`;
}

/** Whether a payload schema needs what is not filled in. */
function lacksInput(schema: Json | undefined, input: JsonObject): boolean {
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  return required.some((name) => typeof name === "string" && getOwn(input, name) === undefined);
}

/** Runs of the draft: started, followed on the canvas, stopped; with inputs and pins that its editors share. */
export function useRunning({ kind, workflow, store, draft, check, nodeTypes, onShow }: RunningOptions): Running {
  const document = useSyncExternalStore(store.subscribe, () => store.document);
  const key = `${kind.resource}.${workflow.id}`;
  const [kept, setStored] = useStore<JsonObject | null>(`editor.input.${key}`, null);
  const mayUpdate = useCan(`${kind.resource}.update`);
  const testData = useTestData(kind, workflow.id, mayUpdate);
  const { pins } = testData.data;
  const [started, setStarted] = useState<{ id: number; definition: JsonObject } | null>(null);
  const [inputSource, setInputSource] = useState(0);
  const [inputAsked, setInputAsked] = useState(0);
  const [pinEdited, editPin] = useState<string | null>(null);
  const [mending, mend] = useState<Execution | null>(null);
  const mayRun = useCan(`${kind.resource}.execute`);
  const shown = useShownRun(kind, started?.id ?? null, started?.definition, nodeTypes);
  const { run, rows } = shown;
  const input = kept ?? readExamples(document)[0]?.input ?? {};
  const going = started !== null && (run === undefined ? shown.error == null : !isTerminal(run.status));

  const toOptions = (definition: JsonObject): { pins?: JsonObject } => {
    const there = Object.entries(pins).filter(([id]) => findState(definition, id) !== undefined);
    return there.length === 0 ? {} : { pins: Object.fromEntries(there.map(([id, pin]) => [id, pin.output])) };
  };
  const show = (json: unknown, definition: JsonObject): ExecutionSummary => {
    const execution = json as ExecutionSummary; // cast: 200 and 202 carry the execution row
    setStarted({ id: execution.id, definition });
    return execution;
  };
  const start = useAction(async (stretch: Stretch, given?: Given) => {
    onShow();
    const revision = await draft.flush();
    const definition = draft.flushed();
    const options = { ...stretch, ...(given === undefined ? toOptions(definition) : { pins: given.pins }) };
    const begins = given?.input ?? input;
    const path = `${kind.resource}/${workflow.id}`;
    // Nothing was changed: there is no draft, and the version is what is on the canvas.
    const { json } =
      revision === 0
        ? await api(`${path}/execute`, { method: "POST", body: { input: begins, options: { ...options, test: true } } })
        : await api(`${path}/draft/execute`, { method: "POST", body: { input: begins, revision, ...options } });
    show(json, definition);
  });
  const say = async (conversation: DraftTurn): Promise<ExecutionSummary> => {
    const revision = await draft.flush();
    const definition = draft.flushed();
    const body = { input, revision, conversation, ...toOptions(definition) };
    const { json } = await api(`${kind.resource}/${workflow.id}/draft/execute`, { method: "POST", body });
    return show(json, definition);
  };
  const stop = useAction(async () => {
    if (started === null) return;
    await api(`${kind.executionResource}/${started.id}/cancel`, { method: "POST", body: {} });
    shown.refetch();
  });

  const follow = async (id: number): Promise<void> => {
    const { json } = await api(`${kind.executionResource}/${id}/definition`);
    setStarted({ id, definition: (json as RunDefinition).definition }); // cast: the shape of the route
  };
  const chooseInput = (chosen: JsonObject): void => {
    setStored(chosen);
    setInputSource((count) => count + 1);
  };
  const outputs = useMemo(() => toOutputs(run), [run]);
  const write = (of: JsonObject, outputsById: JsonObject, dropped: readonly string[] = []): void => {
    const bases = toBases(of, Object.keys(outputsById));
    const changed = [...bases].flatMap(([id, basis]) => {
      const output = getOwn(outputsById, id);
      return output === undefined ? [] : [[id, { output, basis }] as const];
    });
    testData.change({ pins: Object.fromEntries([...dropped.map((id) => [id, null] as const), ...changed]) });
  };
  const setPin = (stateId: string, output: Json | undefined): void =>
    output === undefined ? write(store.document, {}, [stateId]) : write(store.document, { [stateId]: output });

  const errors = check.problems.filter(({ severity }) => severity === "error").length;
  const refused = !mayRun
    ? t("You may not run workflows")
    : draft.state.is === "conflict"
      ? t("Somebody else changed this draft: choose first")
      : errors > 0
        ? t("Solve {{plural}} first", { plural: plural(errors) })
        : null;
  const actions: RunActions = {
    refused,
    going,
    broken: run !== undefined && isBroken(run) && mayRun && mayUpdate ? () => mend(run) : null,
    run: () => {
      // The form says which fields are needed, and takes the cursor there.
      if (lacksInput(document.payloadSchema, input)) {
        onShow();
        setInputAsked((count) => count + 1);
      } else void start.run({});
    },
    dryRun: () => void start.run({ dryRun: true }),
    runUntil: (until) => void start.run({ until }),
    runFrom: (from) => void start.run({ from }),
    stop: () => void stop.run(),
    isPinned: (id) => Object.hasOwn(pins, id),
    hasOutput: (id) => Object.hasOwn(outputs, id),
    pin: (id) => setPin(id, getOwn(outputs, id)),
    unpin: (id) => setPin(id, undefined),
    editPin,
  };

  const drawnPins = useMemo(() => {
    const bases = toBases(document, Object.keys(pins));
    return new Map(
      [...bases].map(([id, basis]): [string, PinMark] => [id, getOwn(pins, id)?.basis === basis ? "pinned" : "stale"]),
    );
  }, [document, pins]);
  const definition = started?.definition;
  const model = useMemo(() => toGraph(definition), [definition]);
  const path = useMemo(() => (run === undefined ? new Set<string>() : toRunPath(model, rows, run)), [model, rows, run]);
  const ends = useMemo(
    () => new Set(model.nodes.filter(({ shape }) => shape === "final").map(({ id }) => id)),
    [model],
  );
  const stale = useMemo(
    () => (definition === undefined ? new Set<string>() : toStale(definition, document)),
    [definition, document],
  );
  const overlay = useMemo(
    (): CanvasOverlay => ({
      nodes: run === undefined ? {} : toRunProgress(rows, run, ends),
      taken: path,
      going,
      pins: drawnPins,
      stale,
      marks: NO_OVERLAY.marks,
    }),
    [run, rows, ends, path, going, drawnPins, stale],
  );
  return {
    input,
    setInput: setStored,
    inputSource,
    inputAsked,
    pins,
    setPin,
    clearPins: () => write(store.document, {}, Object.keys(pins)),
    testData,
    say,
    chooseInput,
    pinEdited,
    editPin,
    shown: { ...shown, id: started?.id ?? null },
    start,
    runAlone: (stateId, run, items) => {
      // It goes the same way again: what led to the step is not called but stands as it was. What was pinned by hand counts more.
      const inLoops = statesOfLoops(store.document, stateId);
      const outside = Object.entries(toOutputs(run)).filter(([id]) => !inLoops.has(id));
      const nodes = nodeRunsOf(store.document, stateId, run, items) ?? [];
      const given = { ...Object.fromEntries(outside), ...toOutputs({ nodes }), ...toOptions(store.document).pins };
      const { [stateId]: _, ...before } = given;
      const there = Object.entries(before).filter(([id]) => findState(store.document, id) !== undefined);
      const input = isObject(run.input) ? run.input : {};
      void start.run({ until: stateId, items }, { input, pins: Object.fromEntries(there) });
    },
    stop,
    load: ({ input: given, nodes }, definition) => {
      // The outputs belong to the graph that ran, so states that were changed since are stale at once.
      write(definition, toOutputs({ nodes }), Object.keys(pins));
      if (isObject(given)) chooseInput(given);
      onShow();
    },
    follow,
    show: (id) => {
      follow(id).catch((error: unknown) => store.refuse(error instanceof Error ? error.message : String(error)));
    },
    mending,
    mend,
    mayContinue: mayRun && mayUpdate,
    clear: () => setStarted(null),
    actions,
    overlay,
  };
}
