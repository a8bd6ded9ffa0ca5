import { type JsonObject, type NodeType, type Problem, toSlug } from "@oven/contract";
import { NodeToolbar, Position, ReactFlowProvider, useReactFlow } from "@xyflow/react";
import { type ReactElement, type RefObject, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { EditorCanvas } from "../canvas/editor-canvas.tsx";
import { searchPalette, toPalette } from "../document/new-states.ts";
import type { Outlet } from "../document/operations/connect.ts";
import { extractStates } from "../document/operations/extract-states.ts";
import { findState } from "../document/states.ts";
import type { Point } from "../layout/elk-layout.ts";
import { toAbsolute } from "../layout/placement.ts";
import { Chooser } from "./chooser.tsx";
import { COMMANDS, type CommandContext, type Question, runCommand, selectedStates, type View } from "./commands.ts";
import { ContextMenu, type MenuPlace } from "./context-menu.tsx";
import type { EditorStore } from "./editor-store.ts";
import { addAfter, addAt } from "./gestures.ts";
import { matchesKeys } from "./keys.ts";
import { Palette } from "./palette.tsx";
import { markProblems } from "./problem-marks.ts";
import { Questions, toChoice } from "./questions.tsx";
import { useClipboard } from "./use-clipboard.ts";
import { useProjection } from "./use-projection.ts";
import "./editor.css";

export interface WorkflowEditorProps {
  store: EditorStore;
  /** From `GET /api/node-types`; while it is absent no type is called unknown. */
  nodeTypes: readonly NodeType[] | undefined;
  problems: readonly Problem[];
  dark: boolean;
  label: string;
  /** A state is to be looked at closely: a double click, or Enter. */
  onOpen?: ((stateId: string) => void) | undefined;
  /** Shows a state; a new object shows it again. */
  shown?: { id: string } | null;
  narrow?: boolean;
  /** Creates a workflow of a name and answers what it is called by; absent: this person may not. */
  onCreate?: ((name: string, definition: JsonObject) => Promise<string>) | undefined;
  kind: "workflow" | "agent-workflow";
  onSave: () => void;
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
  const { selection, notice } = useSyncExternalStore(store.subscribe, store.getState);
  const projection = useProjection(store, nodeTypes);
  const { model } = projection;
  const marks = useMemo(() => markProblems(problems, model), [problems, model]);
  const items = useMemo(() => toPalette(nodeTypes ?? NO_TYPES), [nodeTypes]);
  const [question, setQuestion] = useState<{ question: Question; outlet: string | null } | null>(null);
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const [dropped, setDropped] = useState<{ outlet: Outlet; at: Point } | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const pointer = useRef<Point | null>(null);
  const view = useView(projection);
  const clipboard = useClipboard({ root, store, projection, pointer, isTyping });
  const context: CommandContext = {
    store,
    drawn: projection,
    view,
    ask: (asked) => setQuestion({ question: asked, outlet: null }),
    clipboard,
    mayExtract: onCreate !== undefined,
    save: onSave,
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
        store.apply(`Make ${name} a workflow`, result);
      },
      (error: unknown) => store.refuse(error instanceof Error ? error.message : String(error)),
    );
  };

  useEffect(() => {
    if (shown === null) return;
    store.select([shown.id]);
    view.show(shown.id);
  }, [shown]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isTyping(event.target) || event.defaultPrevented) return;
    const [single] = selectedStates(context);
    if (event.key === "Escape") {
      if (menu !== null) setMenu(null);
      else store.select([]);
      store.dismiss();
      return;
    }
    const focused = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(".react-flow__node") : null;
    if ((event.key === "Enter" || event.key === " ") && focused?.dataset.id !== undefined) {
      event.preventDefault();
      const { id } = focused.dataset;
      if (store.getState().selection.nodes.has(id) && event.key === "Enter") onOpen?.(id);
      else store.select([id]);
      return;
    }
    if (
      event.target instanceof HTMLElement &&
      event.target.closest("button, a, summary") !== null &&
      ["Enter", " "].includes(event.key)
    )
      return;
    if (event.key === "Enter" && single !== undefined) {
      onOpen?.(single);
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
      onPointerMove={(event) => {
        pointer.current = { x: event.clientX, y: event.clientY };
      }}
    >
      {narrow ? null : (
        <Palette
          items={items}
          onAdd={(item) => {
            const [after = null] = selectedStates(context);
            store.apply(`Add ${item.title}`, addAfter(projection, item, after));
          }}
        />
      )}
      <div className="oven-editor__canvas">
        <EditorCanvas
          store={store}
          projection={projection}
          selection={selection}
          problems={marks}
          dark={dark}
          label={label}
          onDropLine={(outlet, at) => setDropped({ outlet, at })}
          onDropItem={(id, at) => {
            const item = items.find((entry) => entry.id === id);
            if (item !== undefined) store.apply(`Add ${item.title}`, addAt(projection, item, at, null));
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
            Add a state
          </button>
        ) : null}
        {model.nodes.length === 0 ? (
          <div className="oven-empty">
            <p>Nothing here yet.</p>
            <button
              type="button"
              className="oven-button"
              data-main="true"
              onClick={() => context.ask({ ask: "add", after: null, edge: null })}
            >
              Add the first state
            </button>
            <p className="oven-empty__hint">Or drag one from the palette, or paste a workflow.</p>
          </div>
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
      {dropped === null ? null : (
        <Chooser
          label={`Add a state after ${dropped.outlet.from}`}
          placeholder="What comes next?"
          choices={items.map(toChoice)}
          search={(query) => searchPalette(items, query).map(toChoice)}
          onClose={() => setDropped(null)}
          onChoose={(id) => {
            const item = items.find((entry) => entry.id === id);
            if (item !== undefined)
              store.apply(`Add ${item.title}`, addAt(projection, item, dropped.at, dropped.outlet));
          }}
        />
      )}
    </div>
  );
}

/** Keys of the page the editor is on, also while nothing has the focus: what had it may just have been deleted. */
function useKeys(root: RefObject<HTMLElement | null>, onKeyDown: (event: KeyboardEvent) => void): void {
  const current = useRef(onKeyDown);
  current.current = onKeyDown;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const page = root.current?.closest("main") ?? root.current;
      const isOurs =
        event.target === document.body || (event.target instanceof Node && page?.contains(event.target) === true);
      if (isOurs) current.current(event);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [root]);
}

/** Above the one state that is selected: what is done most. */
function SelectedToolbar({ context }: { context: CommandContext }): ReactElement | null {
  const [id, ...others] = selectedStates(context);
  if (id === undefined || others.length > 0 || findState(context.drawn.document, id) === undefined) return null;
  return (
    <NodeToolbar nodeId={id} isVisible position={Position.Top} align="end" className="oven-toolbar nodrag nopan">
      {COMMANDS.filter((command) => command.in?.includes("toolbar")).map((command) => (
        <button
          key={command.id}
          type="button"
          title={command.title}
          aria-label={`${command.title} ${id}`}
          onClick={() => runCommand(command, context)}
        >
          <ToolbarIcon id={command.id} />
        </button>
      ))}
    </NodeToolbar>
  );
}

const ICONS: Record<string, string> = {
  duplicate: "M9 9h11v11H9zM5 15H4V4h11v1",
  disable: "M12 3v9M6.3 7a8 8 0 1 0 11.4 0",
  delete: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
};

function ToolbarIcon({ id }: { id: string }): ReactElement {
  return (
    <svg
      width={15}
      height={15}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={ICONS[id]} />
    </svg>
  );
}

/** The view, for commands. */
function useView(projection: Parameters<typeof useClipboard>[0]["projection"]): View {
  const flow = useReactFlow();
  const current = useRef(projection);
  current.current = projection;
  return useMemo(
    () => ({
      fit: () => void flow.fitView({ padding: 0.12, maxZoom: 1, duration: 160 }),
      zoom: (to) => {
        if (to === "in") void flow.zoomIn({ duration: 120 });
        else if (to === "out") void flow.zoomOut({ duration: 120 });
        else void flow.zoomTo(1, { duration: 120 });
      },
      middle: () => {
        const box = document.querySelector(".oven-canvas")?.getBoundingClientRect();
        return flow.screenToFlowPosition({
          x: (box?.left ?? 0) + (box?.width ?? 0) / 2,
          y: (box?.top ?? 0) + (box?.height ?? 0) / 2,
        });
      },
      show: (id) => {
        const { model, placement } = current.current;
        const placed = placement.get(id);
        if (placed === undefined) return;
        const { x, y } = toAbsolute(id, model, placement);
        const box = document.querySelector(".oven-canvas")?.getBoundingClientRect();
        const { x: left, y: top, zoom } = flow.getViewport();
        const inView =
          box !== undefined &&
          x * zoom + left >= 0 &&
          y * zoom + top >= 0 &&
          (x + placed.width) * zoom + left <= box.width &&
          (y + placed.height) * zoom + top <= box.height;
        if (!inView)
          void flow.setCenter(x + placed.width / 2, y + placed.height / 2, {
            zoom: Math.max(zoom, 0.6),
            duration: 160,
          });
        requestAnimationFrame(() =>
          document
            .querySelector<HTMLElement>(`.react-flow__node[data-id=${JSON.stringify(id)}]`)
            ?.focus({ preventScroll: true }),
        );
      },
    }),
    [flow],
  );
}
