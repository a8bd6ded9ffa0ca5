import { type JsonObject, type Problem, toSlug } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import { ReactFlowProvider } from "@xyflow/react";
import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { type CanvasActions, CanvasActionsContext } from "../canvas/canvas-actions.ts";
import { EditorCanvas } from "../canvas/editor-canvas.tsx";
import { type PaletteItem, searchPalette, toPalette } from "../document/new-states.ts";
import { readCollapsed } from "../document/operations/canvas-view.ts";
import type { Outlet } from "../document/operations/connect.ts";
import { extractStates } from "../document/operations/extract-states.ts";
import { type BranchPlace, outletOfBranch } from "../inspector/branches.ts";
import type { Point } from "../layout/elk-layout.ts";
import { nodesById } from "../layout/placement.ts";
import { type CanvasOverlay, NO_OVERLAY } from "../overlay/canvas-overlay.ts";
import { Chooser } from "./chooser.tsx";
import type { CommandContext, Question } from "./command-context.ts";
import { COMMANDS, runCommand } from "./commands.ts";
import { ContextMenu, type MenuPlace } from "./context-menu.tsx";
import type { EditorStore } from "./editor-store.ts";
import { EmptyCanvas } from "./empty-canvas.tsx";
import { foldAt, reveal } from "./fold.ts";
import { addAfter, addAt, addBehind, dropItem } from "./gestures.ts";
import { matchesKeys } from "./keys.ts";
import { Palette } from "./palette.tsx";
import { markProblems } from "./problem-marks.ts";
import { Questions, toChoice } from "./questions.tsx";
import type { RunActions } from "./run-actions.ts";
import { selectedStates } from "./selected.ts";
import { SelectedToolbar } from "./selected-toolbar.tsx";
import { useChangedInView } from "./use-changed-in-view.ts";
import { useClipboard } from "./use-clipboard.ts";
import { useKeys } from "./use-keys.ts";
import { type Projection, upToDate, useProjection } from "./use-projection.ts";
import { useView } from "./use-view.ts";
import "./editor.css";

export interface WorkflowEditorProps {
  store: EditorStore;
  /** From `GET /api/node-types`; while it is absent no type is called unknown. */
  nodeTypes: readonly NodeType[] | undefined;
  problems: readonly Problem[];
  dark: boolean;
  label: string;
  /** A state is to be looked at closely: a double click, or Enter; null: the workflow. */
  onOpen?: ((stateId: string | null) => void) | undefined;
  /** Shows a state, and with `replace` asks what takes its place; a new object does it again. */
  shown?: { id: string; replace?: boolean } | null;
  /** States that were changed elsewhere: they are brought into view, and nothing else happens. */
  changed?: readonly string[] | null;
  narrow?: boolean;
  overlay?: CanvasOverlay | undefined;
  runs?: RunActions | null;
  /** Something else is looked at in its place: nothing can be done to it meanwhile. */
  covered?: boolean;
  /** Creates a workflow of a name and answers what it is called by; absent: this person may not. */
  onCreate?: ((name: string, definition: JsonObject) => Promise<string>) | undefined;
  kind: "workflow" | "agent-workflow";
  onSave: () => void;
  /** Asks for a trigger of a kind, or lets the person choose one; absent: this person may not make any. */
  onNewTrigger?: ((type: string | null) => void) | undefined;
  /** Opens what builds the workflow with the person, or closes it; absent: it cannot be used here. */
  onAssistant?: (() => void) | undefined;
  /** Whether something starts the workflow already. */
  hasTriggers?: boolean;
  /** A branch whose new step is asked for. */
  branch?: BranchPlace | null;
  onBranchDone?: () => void;
}

/** Palette and canvas of a workflow. The definition is the document in `store`; everything done here changes that. */
export function WorkflowEditor(props: WorkflowEditorProps): ReactElement {
  return (
    <ReactFlowProvider>
      <Editor {...props} />
    </ReactFlowProvider>
  );
}

/** Whether keys belong to a field that is being typed into. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable=true], dialog") !== null
  );
}

/** Whether a key was pressed in something that stands beside the canvas, such as the settings of a state. */
function isBeside(event: KeyboardEvent, root: HTMLElement | null): boolean {
  const { target } = event;
  return (
    !event.defaultPrevented &&
    target instanceof HTMLElement &&
    target.closest("aside") !== null &&
    root?.contains(target) !== true
  );
}

const NO_TYPES: readonly NodeType[] = [];

function Editor(props: WorkflowEditorProps): ReactElement {
  const {
    store,
    nodeTypes,
    problems,
    dark,
    label,
    onOpen,
    shown = null,
    narrow = false,
    onCreate,
    kind,
    onSave,
  } = props;
  const { overlay = NO_OVERLAY, runs = null, covered = false, onNewTrigger, hasTriggers = false } = props;
  const { branch = null, onBranchDone } = props;
  const { selection, notice, history } = useSyncExternalStore(store.subscribe, store.getState);
  useEffect(() => {
    if (notice === null) return;
    // As long as it takes to read it; why something was refused takes longer.
    const timer = setTimeout(() => store.dismiss(), notice.refused ? 12_000 : 6_000);
    return () => clearTimeout(timer);
  }, [notice, store]);
  const projection = useProjection(store, nodeTypes);
  const { model } = projection;
  const drawn = useRef(projection);
  drawn.current = projection;
  const marks = useMemo(() => markProblems(problems, model), [problems, model]);
  const items = useMemo(() => toPalette(nodeTypes ?? NO_TYPES), [nodeTypes]);
  const [question, setQuestion] = useState<{ question: Question; outlet: string | null } | null>(null);
  const askFirst = (): void => setQuestion({ question: { ask: "add", after: null, edge: null }, outlet: null });
  const [byHand, setStarted] = useState(false);
  const started = byHand || hasTriggers;
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const [dropped, setDropped] = useState<{ outlet: Outlet; at: Point } | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const pointer = useRef<Point | null>(null);
  const view = useView(projection);
  useChangedInView(props.changed ?? null, projection, view);
  const clipboard = useClipboard({ root, store, projection, pointer, isTyping });
  // Shown when it is drawn: what hides it has to be opened first.
  const [sought, setSought] = useState<string | null>(null);
  const show = (id: string): void => {
    const opened = reveal(current(), id);
    if (opened !== null)
      store.apply(t("Expand {{states}}", { states: opened.opened.join(", ") }), { document: opened.document });
    setSought(id);
  };
  const current = useCallback((): Projection => upToDate(drawn.current, store.document, nodeTypes), [store, nodeTypes]);
  const context: CommandContext = {
    store,
    get drawn() {
      return current();
    },
    view,
    ask: (asked) => setQuestion({ question: asked, outlet: null }),
    clipboard,
    runs,
    mayExtract: onCreate !== undefined,
    save: onSave,
    assistant: props.onAssistant ?? null,
    show,
  };
  const onExtract = (ids: readonly string[], name: string): void => {
    if (onCreate === undefined) return;
    const tried = extractStates(store.document, ids, toSlug(name), kind);
    if ("reason" in tried) {
      store.refuse(tried.reason);
      return;
    }
    onCreate(name, tried.definition).then(
      (slug) => {
        // The server may have had to choose another slug.
        const result = extractStates(store.document, ids, slug, kind);
        store.apply(t("Make {{name}} a workflow", { name }), result);
      },
      (error: unknown) => store.refuse(error instanceof Error ? error.message : String(error)),
    );
  };

  useEffect(() => {
    if (sought === null || !nodesById(model).has(sought)) return;
    setSought(null);
    store.select([sought]);
    view.show(sought);
    // Its settings may take room from the canvas, which is known two frames later.
    requestAnimationFrame(() => requestAnimationFrame(() => view.show(sought, { focus: false })));
  }, [sought, model, store, view]);
  // What was added is brought into view once it stands where it will stand.
  const seen = useRef(model);
  const [added, setAdded] = useState<string | null>(null);
  useEffect(() => {
    const before = nodesById(seen.current);
    seen.current = model;
    const [only, ...others] = store.getState().selection.nodes;
    if (before.size > 0 && only !== undefined && others.length === 0 && nodesById(model).has(only) && !before.has(only))
      setAdded(only);
  }, [model, store]);
  const { settled } = projection;
  useEffect(() => {
    if (added === null || !settled) return;
    setAdded(null);
    view.show(added, { focus: false });
  }, [added, settled, view]);
  // After "Lay out", everything stands elsewhere.
  const [laying, setLaying] = useState(false);
  useEffect(() => {
    if (!laying || !settled) return;
    setLaying(false);
    view.fit();
  }, [laying, settled, view]);
  const onAdd = useCallback(
    (item: PaletteItem) => {
      const [after = null] = selectedStates({ store, drawn: current() });
      store.apply(t("Add {{title}}", { title: item.title }), addAfter(current(), item, after));
    },
    [store, current],
  );
  useEffect(() => {
    if (shown === null) return;
    show(shown.id);
    if (shown.replace === true) setQuestion({ question: { ask: "replace", id: shown.id }, outlet: null });
  }, [shown]);
  const canvasActions = useMemo(
    (): CanvasActions => ({
      toggle: (id) => {
        const open = readCollapsed(store.document).has(id);
        store.apply(`${open ? "Expand" : "Collapse"} ${id}`, foldAt(current(), [id], !open));
      },
    }),
    [store, current],
  );

  const onKeyDown = (event: KeyboardEvent): void => {
    const [single] = selectedStates(context);
    if (event.key === "Escape" && isBeside(event, root.current)) {
      // Out of the settings, back to what they are of; a second Escape lets it go.
      event.preventDefault();
      if (single !== undefined) {
        // At once, so that the next key is already one of the canvas.
        root.current
          ?.querySelector<HTMLElement>(`.react-flow__node[data-id=${JSON.stringify(single)}]`)
          ?.focus({ preventScroll: true });
        view.show(single);
      } else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      return;
    }
    if (covered || isTyping(event.target) || event.defaultPrevented) return;
    if (event.key === "Escape") {
      const { nodes, edges } = store.getState().selection;
      if (menu !== null) setMenu(null);
      else if (nodes.size + edges.size > 0) store.select([]);
      // Off the card too: what is pressed next is for the whole.
      else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      store.dismiss();
      return;
    }
    const focused = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(".react-flow__node") : null;
    const isBare = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isBare && (event.key === "Enter" || event.key === " ") && focused?.dataset.id !== undefined) {
      event.preventDefault();
      const { id } = focused.dataset;
      if (store.getState().selection.nodes.has(id) && event.key === "Enter") onOpen?.(id);
      else store.select([id]);
      return;
    }
    if (
      isBare &&
      event.target instanceof HTMLElement &&
      event.target.closest("button, a, summary") !== null &&
      ["Enter", " "].includes(event.key)
    )
      return;
    if (isBare && event.key === "Enter") {
      // Without a state: the settings of the workflow itself.
      onOpen?.(single ?? null);
      event.preventDefault();
      return;
    }
    if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
      event.preventDefault();
      const box = root.current?.getBoundingClientRect();
      setMenu({ kind: single === undefined ? "pane" : "node", x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 3 });
      return;
    }
    const command = COMMANDS.find(({ keys }) => keys?.some((entry) => matchesKeys(event, entry)) === true);
    // The browser's own copy, cut and paste events bring the clipboard with them.
    if (command === undefined || ["copy", "cut", "paste"].includes(command.id)) return;
    event.preventDefault();
    runCommand(command, context);
  };

  useKeys(root, onKeyDown);
  return (
    <div
      ref={root}
      className="oven-editor"
      data-narrow={narrow}
      inert={covered}
      onPointerMove={(event) => {
        pointer.current = { x: event.clientX, y: event.clientY };
      }}
    >
      {narrow ? null : <Palette items={items} onAdd={onAdd} />}
      <div className="oven-editor__canvas">
        <CanvasActionsContext value={canvasActions}>
          <EditorCanvas
            store={store}
            projection={projection}
            current={current}
            selection={selection}
            problems={marks}
            overlay={overlay}
            dark={dark}
            label={label}
            onDropLine={(outlet, at) => setDropped({ outlet, at })}
            onDropItem={(id, at, edgeId) => {
              const item = items.find((entry) => entry.id === id);
              if (item !== undefined)
                store.apply(t("Add {{title}}", { title: item.title }), dropItem(current(), item, at, edgeId));
            }}
            onFit={view.fit}
            onLayout={() => {
              const command = COMMANDS.find(({ id }) => id === "layout");
              if (command !== undefined) runCommand(command, context);
            }}
            onInsert={(edge) => setQuestion({ question: { ask: "add", after: null, edge }, outlet: null })}
            onMenu={(kind, at) => {
              const box = root.current?.getBoundingClientRect();
              setMenu({ kind, x: at.x - (box?.left ?? 0), y: at.y - (box?.top ?? 0) });
            }}
            onOpen={(id) => onOpen?.(id)}
          >
            <SelectedToolbar context={context} />
          </EditorCanvas>
        </CanvasActionsContext>
        {narrow && model.nodes.length > 0 ? (
          <button
            type="button"
            className="oven-button oven-add"
            data-main="true"
            onClick={() => {
              const [after = null] = selectedStates(context);
              context.ask({ ask: "add", after, edge: null });
            }}
          >
            {t("Add a state")}
          </button>
        ) : null}
        {model.nodes.length === 0 ? (
          <EmptyCanvas
            asksStart={onNewTrigger !== undefined && !started && history.past.length === 0}
            onByHand={() => {
              setStarted(true);
              askFirst();
            }}
            onTrigger={(type) => onNewTrigger?.(type)}
            onAdd={askFirst}
          />
        ) : null}
        <div className="oven-notice" role="status" data-refused={notice?.refused === true} data-shown={notice !== null}>
          {notice?.text}
        </div>
      </div>
      {menu === null ? null : <ContextMenu place={menu} context={context} onClose={() => setMenu(null)} />}
      {question === null ? null : (
        <Questions
          question={question.question}
          outlet={question.outlet}
          context={context}
          items={items}
          onExtract={onExtract}
          onOutlet={(outlet) => setQuestion({ ...question, outlet })}
          onClose={() => setQuestion(null)}
        />
      )}
      {branch === null ? null : (
        <Chooser
          label={t("Add a state after {{from}}", { from: branch.stateId })}
          placeholder={t("What comes next?")}
          choices={items.map(toChoice)}
          search={(query) => searchPalette(items, query).map(toChoice)}
          onClose={() => onBranchDone?.()}
          onChoose={(id) => {
            const item = items.find((entry) => entry.id === id);
            store.flush();
            const outlet = outletOfBranch(store.document, branch);
            if (item === undefined) return;
            store.apply(
              t("Add {{title}}", { title: item.title }),
              outlet === undefined
                ? { reason: t("This branch is gone") }
                : addBehind(current(), item, branch.stateId, outlet),
            );
          }}
        />
      )}
      {dropped === null ? null : (
        <Chooser
          label={t("Add a state after {{from}}", { from: dropped.outlet.from })}
          placeholder={t("What comes next?")}
          choices={items.map(toChoice)}
          search={(query) => searchPalette(items, query).map(toChoice)}
          onClose={() => setDropped(null)}
          onChoose={(id) => {
            const item = items.find((entry) => entry.id === id);
            if (item !== undefined)
              store.apply(
                t("Add {{title}}", { title: item.title }),
                addAt(current(), item, dropped.at, dropped.outlet),
              );
          }}
        />
      )}
    </div>
  );
}
