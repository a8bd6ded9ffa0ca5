import { t } from "@oven/i18n";
import { WORKFLOW } from "@oven/scope";
import { addFrame, addNote, readFrames, removeFrames } from "../document/operations/annotations.ts";
import { containersOf, readCollapsed, readDirection, setDirection } from "../document/operations/canvas-view.ts";
import { duplicateStates } from "../document/operations/clipboard.ts";
import { setInitial } from "../document/operations/connect.ts";
import { clearPositions } from "../document/operations/positions.ts";
import { toggleDisabled } from "../document/operations/set-disabled.ts";
import type { Wrapping } from "../document/operations/wrap-states.ts";
import { freeSpot, nodesById } from "../layout/placement.ts";
import type { CommandContext } from "./command-context.ts";
import { foldAt } from "./fold.ts";
import { drawnPositions, isPlaced, pinned, unwrapAt, wrapAt } from "./gestures.ts";
import type { Keys } from "./keys.ts";
import { removeSelected } from "./remove-selected.ts";
import { RUN_COMMANDS } from "./run-commands.ts";
import { FRAME, NOTE, selectedStates } from "./selected.ts";
import { reach, walk } from "./walk.ts";

/** Also from a field, where no other command is heard. */
export const ASSISTANT_KEYS: Keys = "Mod+I";

export interface Command {
  id: string;
  title: string;
  group: "Add" | "Edit" | "Structure" | "View" | "Workflow";
  keys?: readonly Keys[];
  /** Where its menu entry stands, beside the command palette. */
  in?: readonly ("node" | "edge" | "pane" | "toolbar")[];
  /** Null when it can be done now; else why not. */
  refuse?: (context: CommandContext) => string | null;
  run: (context: CommandContext) => void;
}

const needsStates = (context: CommandContext): string | null =>
  selectedStates(context).length === 0 ? t("Select a state first") : null;
const needsOne = (context: CommandContext): string | null =>
  selectedStates(context).length === 1 ? null : t("Select one state first");
const needsSomething = (context: CommandContext): string | null => {
  const { nodes, edges } = context.store.getState().selection;
  return nodes.size + edges.size === 0 ? t("Select something first") : null;
};
const foldable = (context: CommandContext): string[] => {
  const containers = new Set(containersOf(context.drawn.document));
  return selectedStates(context).filter((id) => containers.has(id));
};
const selectsWorkflow = ({ store }: CommandContext): boolean => {
  const { nodes } = store.getState().selection;
  return nodes.size === 1 && nodes.has(WORKFLOW);
};
const onlySelected = (context: CommandContext): string => selectedStates(context)[0] ?? "";

function wrap(kind: Wrapping, title: string) {
  return (context: CommandContext): void => {
    const { store, drawn } = context;
    store.apply(title, wrapAt(drawn, selectedStates(context), kind));
  };
}

export const COMMANDS: readonly Command[] = [
  {
    id: "add",
    title: t("Add a state…"),
    group: "Add",
    keys: ["N"],
    in: ["pane", "node", "edge"],
    run: (context) => {
      const { edges } = context.store.getState().selection;
      const [edge = null] = edges.size === 1 ? [...edges] : [];
      const states = selectedStates(context);
      context.ask({ ask: "add", after: states.length === 1 ? onlySelected(context) : null, edge });
    },
  },
  {
    id: "connect",
    title: t("Connect to…"),
    group: "Add",
    keys: ["C"],
    in: ["node"],
    refuse: (context) => (selectsWorkflow(context) ? null : needsOne(context)),
    run: (context) =>
      context.ask({ ask: "connect", from: selectsWorkflow(context) ? WORKFLOW : onlySelected(context) }),
  },
  ...(
    [
      ["branch", t("Add a branch…")],
      ["event", t("Add an event…")],
      ["timer", t("Add a timer…")],
    ] as const
  ).map(
    ([kind, title]): Command => ({
      id: `add-${kind}`,
      title,
      group: "Add",
      in: ["node"],
      refuse: needsOne,
      run: (context) => context.ask({ ask: "outcome", id: onlySelected(context), kind }),
    }),
  ),
  {
    id: "add-workflow-event",
    title: t("Add an event of the whole workflow…"),
    group: "Add",
    in: ["pane"],
    run: ({ ask }) => ask({ ask: "outcome", id: WORKFLOW, kind: "event" }),
  },
  {
    id: "note",
    title: t("Add a note"),
    group: "Add",
    keys: ["Shift+S"],
    in: ["pane"],
    run: ({ store, drawn, view }) => {
      const boxes = drawn.model.nodes.flatMap(({ id, parentId }) =>
        parentId === null ? (drawn.placement.get(id) ?? []) : [],
      );
      const added = addNote(drawn.document, freeSpot(view.middle(), { width: 220, height: 110 }, boxes));
      store.apply(t("Add a note"), { document: added.document, select: [`${NOTE}${added.id}`] });
    },
  },
  {
    id: "undo",
    title: t("Undo"),
    group: "Edit",
    keys: ["Mod+Z"],
    refuse: ({ store }) => (store.getState().history.past.length === 0 ? t("Nothing to undo") : null),
    run: ({ store }) => store.undo(),
  },
  {
    id: "redo",
    title: t("Redo"),
    group: "Edit",
    keys: ["Mod+Shift+Z", "Mod+Y"],
    refuse: ({ store }) => (store.getState().history.future.length === 0 ? t("Nothing to do again") : null),
    run: ({ store }) => store.redo(),
  },
  {
    id: "rename",
    title: t("Rename…"),
    group: "Edit",
    keys: ["F2"],
    in: ["node"],
    refuse: needsOne,
    run: (context) => context.ask({ ask: "rename", id: onlySelected(context) }),
  },
  {
    id: "replace",
    title: t("Replace by another node…"),
    group: "Edit",
    keys: ["R"],
    in: ["node"],
    refuse: (context) =>
      needsOne(context) ??
      (nodesById(context.drawn.model).get(onlySelected(context))?.nodeType
        ? null
        : t("Only a node can be replaced by another")),
    run: (context) => context.ask({ ask: "replace", id: onlySelected(context) }),
  },
  {
    id: "duplicate",
    title: t("Duplicate"),
    group: "Edit",
    keys: ["Mod+D"],
    in: ["node", "toolbar"],
    refuse: needsStates,
    run: (context) => {
      const { store, drawn } = context;
      const positions = isPlaced(drawn.document) ? drawnPositions(drawn) : new Map();
      store.apply("Duplicate", duplicateStates(drawn.document, selectedStates(context), positions));
    },
  },
  {
    id: "copy",
    title: t("Copy"),
    group: "Edit",
    keys: ["Mod+C"],
    in: ["node"],
    refuse: needsStates,
    run: ({ clipboard }) => void clipboard.copy(),
  },
  {
    id: "cut",
    title: t("Cut"),
    group: "Edit",
    keys: ["Mod+X"],
    in: ["node"],
    refuse: needsStates,
    run: (context) => {
      void context.clipboard.copy().then((copied) => {
        if (copied) removeSelected(context);
      });
    },
  },
  {
    id: "paste",
    title: t("Paste"),
    group: "Edit",
    keys: ["Mod+V"],
    in: ["pane", "node"],
    run: ({ clipboard }) => void clipboard.paste(),
  },
  {
    id: "disable",
    title: t("Disable or enable"),
    group: "Edit",
    keys: ["D"],
    in: ["node", "toolbar"],
    refuse: needsStates,
    run: (context) =>
      void context.store.apply(t("Disable or enable"), {
        document: toggleDisabled(context.drawn.document, selectedStates(context)),
      }),
  },
  {
    id: "delete",
    title: t("Delete"),
    group: "Edit",
    keys: ["Delete", "Backspace"],
    in: ["node", "edge", "toolbar"],
    refuse: needsSomething,
    run: removeSelected,
  },
  {
    id: "select-all",
    title: t("Select all"),
    group: "Edit",
    keys: ["Mod+A"],
    in: ["pane"],
    run: ({ store, drawn }) =>
      store.select(
        drawn.model.nodes.flatMap(({ id, shape }) => (shape === "start" || shape === "missing" ? [] : [id])),
      ),
  },
  {
    id: "begin",
    title: t("Begin here"),
    group: "Structure",
    keys: ["B"],
    in: ["node"],
    refuse: needsOne,
    run: (context) =>
      void context.store.apply(t("Begin here"), setInitial(context.drawn.document, onlySelected(context))),
  },
  {
    id: "frame",
    title: t("Frame"),
    group: "Structure",
    keys: ["Mod+G"],
    in: ["node"],
    refuse: needsStates,
    run: (context) => {
      const added = addFrame(context.drawn.document, selectedStates(context));
      context.store.apply("Frame", { document: added.document, select: [`${FRAME}${added.id}`] });
    },
  },
  {
    id: "unframe",
    title: t("Remove the frame"),
    group: "Structure",
    keys: ["Mod+Shift+G"],
    refuse: ({ store, drawn }) => {
      const selected = store.getState().selection.nodes;
      const found = readFrames(drawn.document).some(
        ({ id, members }) => selected.has(`${FRAME}${id}`) || members.some((member) => selected.has(member)),
      );
      return found ? null : t("Select a frame first");
    },
    run: ({ store, drawn }) => {
      const selected = store.getState().selection.nodes;
      const frames = readFrames(drawn.document).filter(
        ({ id, members }) => selected.has(`${FRAME}${id}`) || members.some((member) => selected.has(member)),
      );
      store.apply(t("Remove the frame"), {
        document: removeFrames(drawn.document, new Set(frames.map(({ id }) => id))),
        select: frames.flatMap(({ members }) => members),
      });
    },
  },
  {
    id: "group",
    title: t("Put into a group"),
    group: "Structure",
    in: ["node"],
    refuse: needsStates,
    run: wrap("compound", t("Put into a group")),
  },
  {
    id: "loop",
    title: t("Put into a loop"),
    group: "Structure",
    in: ["node"],
    refuse: needsStates,
    run: wrap("loop", t("Put into a loop")),
  },
  {
    id: "parallel",
    title: t("Run side by side"),
    group: "Structure",
    in: ["node"],
    refuse: needsStates,
    run: wrap("parallel", t("Run side by side")),
  },
  {
    id: "unwrap",
    title: t("Take apart"),
    group: "Structure",
    in: ["node"],
    refuse: (context) =>
      needsOne(context) ?? (foldable(context).length === 1 ? null : t("Select a group, loop or parallel state")),
    run: (context) => void context.store.apply(t("Take apart"), unwrapAt(context.drawn, onlySelected(context))),
  },
  {
    id: "extract",
    title: t("Make a workflow of it…"),
    group: "Structure",
    keys: ["Alt+X"],
    in: ["node"],
    refuse: (context) => (context.mayExtract ? needsStates(context) : t("You may not create workflows")),
    run: (context) => context.ask({ ask: "extract", ids: selectedStates(context) }),
  },
  {
    id: "fold",
    title: t("Collapse or expand"),
    group: "View",
    keys: ["X"],
    in: ["node"],
    refuse: (context) => (foldable(context).length === 0 ? t("Select a group, loop or parallel state") : null),
    run: (context) => {
      const { store, drawn } = context;
      const ids = foldable(context);
      const open = ids.every((id) => readCollapsed(drawn.document).has(id));
      store.apply(`${open ? "Expand" : "Collapse"} ${ids.join(", ")}`, foldAt(drawn, ids, !open));
    },
  },
  {
    id: "fold-all",
    title: t("Collapse everything, or expand it"),
    group: "View",
    keys: ["Shift+X"],
    in: ["pane"],
    refuse: ({ drawn }) => (containersOf(drawn.document).length === 0 ? t("There are no groups") : null),
    run: ({ store, drawn }) => {
      const ids = containersOf(drawn.document);
      const open = readCollapsed(drawn.document).size > 0;
      store.apply(open ? t("Expand everything") : t("Collapse everything"), {
        ...foldAt(drawn, ids, !open),
        select: [],
      });
    },
  },
  {
    id: "direction",
    title: t("Turn: left to right, or top to bottom"),
    group: "View",
    keys: ["Shift+D"],
    in: ["pane"],
    run: ({ store, drawn }) => {
      const next = readDirection(drawn.document) === "down" ? "right" : "down";
      store.apply(next === "down" ? t("Top to bottom") : t("Left to right"), {
        document: setDirection(drawn.document, next),
      });
    },
  },
  {
    id: "layout",
    title: t("Lay out"),
    group: "View",
    keys: ["Shift+L"],
    in: ["pane"],
    run: ({ store, drawn }) => void store.apply(t("Lay out"), { document: clearPositions(drawn.document) }),
  },
  {
    id: "pin",
    title: t("Keep states where they are"),
    group: "View",
    refuse: ({ drawn }) => (isPlaced(drawn.document) ? t("They are kept already") : null),
    run: ({ store, drawn }) => void store.apply(t("Keep states where they are"), { document: pinned(drawn) }),
  },
  {
    id: "fit",
    title: t("Show everything"),
    group: "View",
    keys: ["1", "Mod+1"],
    in: ["pane"],
    run: ({ view }) => view.fit(),
  },
  { id: "whole", title: t("Zoom to 100%"), group: "View", keys: ["0", "Mod+0"], run: ({ view }) => view.zoom("whole") },
  { id: "zoom-in", title: t("Zoom in"), group: "View", keys: ["Plus", "="], run: ({ view }) => view.zoom("in") },
  { id: "zoom-out", title: t("Zoom out"), group: "View", keys: ["-"], run: ({ view }) => view.zoom("out") },
  {
    id: "find",
    title: t("Find and replace…"),
    group: "View",
    keys: ["Mod+F"],
    in: ["pane"],
    run: ({ ask }) => ask({ ask: "find" }),
  },
  {
    id: "commands",
    title: t("Commands…"),
    group: "View",
    keys: ["Mod+K"],
    in: ["pane"],
    run: ({ ask }) => ask({ ask: "commands" }),
  },
  {
    id: "assistant",
    title: t("Open or close the assistant"),
    group: "Workflow",
    keys: [ASSISTANT_KEYS],
    in: ["pane"],
    refuse: ({ assistant }) => (assistant === null ? t("The assistant cannot be used here") : null),
    run: ({ assistant }) => assistant?.(),
  },
  { id: "save", title: t("Save the draft"), group: "Workflow", keys: ["Mod+S"], run: ({ save }) => save() },
  {
    id: "keys",
    title: t("Keyboard shortcuts"),
    group: "View",
    keys: ["?"],
    in: ["pane"],
    run: ({ ask }) => ask({ ask: "keys" }),
  },
  ...RUN_COMMANDS,
  ...(["Right", "Left", "Up", "Down"] as const).map(
    (side): Command => ({
      id: `walk-${side.toLowerCase()}`,
      title: { Right: t("Go to what follows"), Left: t("Go to what comes before"), Up: t("Go up"), Down: t("Go down") }[
        side
      ],
      group: "View",
      keys: [`Arrow${side}`],
      run: (context) => walk(context, side),
    }),
  ),
  ...(["Right", "Left"] as const).map(
    (side): Command => ({
      id: `reach-${side.toLowerCase()}`,
      title: side === "Right" ? t("Select everything that follows") : t("Select everything that leads here"),
      group: "View",
      keys: [`Shift+Arrow${side}`],
      refuse: needsStates,
      run: (context) => reach(context, side),
    }),
  ),
];

/** Does a command, or says why it cannot be done. */
export function runCommand(command: Command, context: CommandContext): void {
  context.store.flush();
  const reason = command.refuse?.(context) ?? null;
  if (reason !== null) context.store.refuse(reason);
  else command.run(context);
}
