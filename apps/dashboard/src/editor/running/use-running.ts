import {
  type Execution,
  isTerminal,
  type Json,
  type JsonObject,
  type NodeType,
  type RunDefinition,
  type Workflow,
} from "@oven/contract";
import { type CanvasOverlay, type PinMark, type RunActions, toBases, toGraph, toStale } from "@oven/workflow-editor";
import { type EditorStore, findState } from "@oven/workflow-editor/document";
import { useMemo, useState, useSyncExternalStore } from "react";
import { useStore } from "react-admin";
import { type ActionState, useAction } from "../../components/use-action.ts";
import { useCan } from "../../components/use-can.ts";
import { api } from "../../providers/api-client.ts";
import { readExamples } from "../../resources/workflows/read-examples.ts";
import type { ServerCheck } from "../../resources/workflows/use-server-check.ts";
import type { WorkflowKind } from "../../resources/workflows/workflow-kind.ts";
import type { Draft } from "../use-draft.ts";
import { toOutputs, toRunPath, toRunProgress } from "./run-overlay.ts";
import { type ShownRun, useShownRun } from "./use-shown-run.ts";

/** An output that stands in for the call of a node in runs of the draft. */
export interface Pin {
  output: Json;
  /** What it was made from, as `toBases` says it. */
  basis: string;
}
export type Pins = Readonly<Record<string, Pin>>;

/** Which part of the graph is run. */
export interface Stretch {
  from?: string;
  until?: string;
}

export interface Running {
  /** What is run next. */
  input: JsonObject;
  setInput: (input: JsonObject) => void;
  /** A new number: the input was set from elsewhere, and a form begins anew. */
  inputSource: number;
  pins: Pins;
  setPin: (stateId: string, output: Json | undefined) => void;
  clearPins: () => void;
  /** Puts an input into the form. */
  chooseInput: (input: JsonObject) => void;
  /** The state whose pinned output is being written. */
  pinEdited: string | null;
  editPin: (stateId: string | null) => void;
  shown: ShownRun & { id: number | null };
  start: ActionState<[Stretch, JsonObject?]>;
  stop: ActionState<[]>;
  /** Makes a past run's input the next one's, and its outputs pins. */
  load: (run: Execution, definition: JsonObject) => void;
  /** Draws a run that was started elsewhere. */
  follow: (id: number) => Promise<void>;
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

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function plural(count: number): string {
  return count === 1 ? "one problem" : `${count} problems`;
}

/** Runs of the draft: started, followed on the canvas, stopped; with inputs and pins that this browser keeps. */
export function useRunning({ kind, workflow, store, draft, check, nodeTypes, onShow }: RunningOptions): Running {
  const document = useSyncExternalStore(store.subscribe, () => store.document);
  const key = `${kind.resource}.${workflow.id}`;
  const [kept, setKept] = useStore<JsonObject | null>(`editor.input.${key}`, null);
  const [pins, keepPins] = useStore<Pins>(`editor.pins.${key}`, {});
  const [started, setStarted] = useState<{ id: number; definition: JsonObject } | null>(null);
  const [inputSource, setInputSource] = useState(0);
  const [pinEdited, editPin] = useState<string | null>(null);
  const mayRun = useCan(`${kind.resource}.execute`);
  const shown = useShownRun(kind, started?.id ?? null, started?.definition, nodeTypes);
  const { run, rows } = shown;
  const input = kept ?? readExamples(document)[0]?.input ?? {};
  const going = started !== null && (run === undefined ? shown.error == null : !isTerminal(run.status));

  const start = useAction(async (stretch: Stretch, given?: JsonObject) => {
    onShow();
    const definition = store.document;
    const revision = await draft.flush();
    const there = Object.entries(pins).filter(([id]) => findState(definition, id) !== undefined);
    const options = {
      ...stretch,
      ...(there.length === 0 ? {} : { pins: Object.fromEntries(there.map(([id, pin]) => [id, pin.output])) }),
    };
    const path = `${kind.resource}/${workflow.id}`;
    // Nothing was changed: there is no draft, and the version is what is on the canvas.
    const { json } =
      revision === 0
        ? await api(`${path}/execute`, { method: "POST", body: { input: given ?? input, options } })
        : await api(`${path}/draft/execute`, { method: "POST", body: { input: given ?? input, revision, ...options } });
    const { id } = json as Pick<Execution, "id">; // cast: 202 carries the execution row
    setStarted({ id, definition });
  });
  const stop = useAction(async () => {
    if (started === null) return;
    await api(`${kind.executionResource}/${started.id}/cancel`, { method: "POST", body: {} });
    shown.refetch();
  });

  const chooseInput = (chosen: JsonObject): void => {
    setKept(chosen);
    setInputSource((count) => count + 1);
  };
  const outputs = useMemo(() => toOutputs(run), [run]);
  const write = (changes: JsonObject, dropped: readonly string[] = []): void => {
    const bases = toBases(store.document, Object.keys(changes));
    const next = Object.fromEntries(Object.entries(pins).filter(([id]) => !dropped.includes(id)));
    for (const [id, output] of Object.entries(changes)) {
      const basis = bases.get(id);
      if (basis !== undefined) next[id] = { output, basis };
    }
    keepPins(next);
  };
  const setPin = (stateId: string, output: Json | undefined): void =>
    output === undefined ? write({}, [stateId]) : write({ [stateId]: output });

  const errors = check.problems.filter(({ severity }) => severity === "error").length;
  const refused = !mayRun
    ? "You may not run workflows"
    : draft.state.is === "conflict"
      ? "Somebody else changed this draft: choose first"
      : errors > 0
        ? `Solve ${plural(errors)} first`
        : null;
  const actions: RunActions = {
    refused,
    going,
    run: () => void start.run({}),
    runUntil: (until) => void start.run({ until }),
    runFrom: (from) => void start.run({ from }),
    stop: () => void stop.run(),
    isPinned: (id) => Object.hasOwn(pins, id),
    hasOutput: (id) => Object.hasOwn(outputs, id),
    pin: (id) => setPin(id, outputs[id]),
    unpin: (id) => setPin(id, undefined),
    editPin,
  };

  const drawnPins = useMemo(() => {
    const bases = toBases(document, Object.keys(pins));
    return new Map(
      [...bases].map(([id, basis]): [string, PinMark] => [id, pins[id]?.basis === basis ? "pinned" : "stale"]),
    );
  }, [document, pins]);
  const definition = started?.definition;
  const path = useMemo(
    () => (run === undefined ? new Set<string>() : toRunPath(toGraph(definition), rows, run)),
    [definition, rows, run],
  );
  const stale = useMemo(
    () => (definition === undefined ? new Set<string>() : toStale(definition, document)),
    [definition, document],
  );
  const overlay = useMemo(
    (): CanvasOverlay => ({
      nodes: run === undefined ? {} : toRunProgress(rows, run),
      taken: path,
      going,
      pins: drawnPins,
      stale,
    }),
    [run, rows, path, going, drawnPins, stale],
  );
  return {
    input,
    setInput: setKept,
    inputSource,
    pins,
    setPin,
    clearPins: () => keepPins({}),
    chooseInput,
    pinEdited,
    editPin,
    shown: { ...shown, id: started?.id ?? null },
    start,
    stop,
    load: ({ input: given, nodes }, definition) => {
      const made = toOutputs({ nodes });
      // Of the graph it ran on: what was changed since is stale at once.
      const bases = toBases(definition, Object.keys(made));
      keepPins(
        Object.fromEntries(
          [...bases].flatMap(([id, basis]) => {
            const output = made[id];
            return output === undefined ? [] : [[id, { output, basis }]];
          }),
        ),
      );
      if (isObject(given)) chooseInput(given);
      onShow();
    },
    follow: async (id) => {
      const { json } = await api(`${kind.executionResource}/${id}/definition`);
      setStarted({ id, definition: (json as RunDefinition).definition }); // cast: the shape of the route
      onShow();
    },
    clear: () => setStarted(null),
    actions,
    overlay,
  };
}
