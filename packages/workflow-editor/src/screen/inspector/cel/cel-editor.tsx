import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
  insertCompletionText,
  pickedCompletion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { linter, lintKeymap } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, placeholder as placeholderOf, tooltips } from "@codemirror/view";
import Box from "@mui/material/Box";
import type { CelCheck } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { nonceOfPage } from "@oven/ui/theme/style-cache.ts";
import { type ReactElement, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { type CelCompletion, completeCel } from "../../../inspector/cel-completions.ts";
import type { Variable } from "../../../inspector/variables.ts";
import type { TextCursor } from "../text-cursor.ts";
import { celLook } from "./cel-look.ts";
import { checkCel, loadLanguage } from "./cel-server.ts";

export interface CelEditorProps {
  id: string;
  /** What a screen reader calls it. */
  label: string;
  describedBy?: string | undefined;
  value: string;
  onChange: (text: string) => void;
  placeholder?: string | undefined;
  invalid: boolean;
  /** What is in scope, asked when something is to be offered. */
  variables: () => readonly Variable[];
  /** What is wrong with the text as the server reads it; null: nothing. */
  onProblem: (problem: NonNullable<CelCheck["problem"]> | null) => void;
  cursor: RefObject<TextCursor | null>;
  /** The selection of the field that this editor replaces, if that field had the focus. */
  takeOver: { start: number; end: number } | null;
}

const QUIET_MS = 300;
/** A change that came from outside: not to be told outside again. */
const given = Annotation.define<true>();
const KINDS: Record<CelCompletion["kind"], string> = {
  variable: "variable",
  property: "property",
  function: "function",
  method: "method",
  keyword: "keyword",
};

/** A CEL text with completion and underlined errors. Tab leaves it; Ctrl+Space offers what can stand here. */
export function CelEditor(props: CelEditorProps): ReactElement {
  const { id, label, describedBy, value, placeholder, invalid, takeOver } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  /** Texts that were told outside and have not come back as the value. */
  const told = useRef<string[]>([]);
  const current = useRef(props);
  current.current = props;
  const named = useRef(new Compartment());
  const attributes = nameOf({ id, label, describedBy, invalid });
  const begin = useRef({ value, attributes, placeholder, takeOver });

  useEffect(() => {
    const first = begin.current;
    const made = new EditorView({
      parent: host.current ?? document.body,
      state: EditorState.create({
        doc: first.value,
        extensions: [
          EditorView.cspNonce.of(nonceOfPage().nonce ?? ""),
          history(),
          EditorView.lineWrapping,
          // Out of the panel, which would cut them off.
          tooltips({ position: "fixed", parent: document.body }),
          autocompletion({ override: [(context) => offer(context, current.current.variables)], icons: false }),
          linter((there) => findProblem(there, current.current.onProblem), { delay: QUIET_MS }),
          keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
          placeholderOf(first.placeholder ?? ""),
          named.current.of(EditorView.contentAttributes.of(first.attributes)),
          celLook,
          EditorView.updateListener.of(({ docChanged, transactions, state }) => {
            if (!docChanged || transactions.some((transaction) => transaction.annotation(given))) return;
            const text = state.doc.toString();
            told.current.push(text);
            current.current.onChange(text);
          }),
        ] satisfies Extension[],
      }),
    });
    view.current = made;
    current.current.cursor.current = {
      read: () => ({ start: made.state.selection.main.from, end: made.state.selection.main.to }),
      put: (at) => {
        made.dispatch({ selection: { anchor: Math.min(at, made.state.doc.length) } });
        made.focus();
      },
    };
    if (first.takeOver !== null) {
      made.dispatch({ selection: { anchor: first.takeOver.start, head: first.takeOver.end } });
      made.focus();
    }
    return () => {
      made.destroy();
      view.current = null;
      current.current.cursor.current = null;
    };
  }, []);

  useLayoutEffect(() => {
    const there = view.current;
    // What comes back later than the next key was typed is older than the text, and must not take its place.
    const echo = told.current.indexOf(value);
    const isOlder = echo >= 0 && echo < told.current.length - 1;
    told.current.splice(0, echo < 0 ? told.current.length : echo + 1);
    if (there === null || isOlder || there.state.doc.toString() === value) return;
    there.dispatch({
      changes: { from: 0, to: there.state.doc.length, insert: value },
      annotations: given.of(true),
    });
  }, [value]);

  const written = JSON.stringify(attributes);
  useEffect(() => {
    view.current?.dispatch({
      effects: named.current.reconfigure(EditorView.contentAttributes.of(JSON.parse(written))),
    });
  }, [written]);

  return (
    <Box
      ref={host}
      // The document's own keys are not meant while something is typed; Escape closes what is offered, not the drawer.
      onKeyDown={(event) => {
        if (event.key === "Escape" && document.querySelector(".cm-tooltip-autocomplete") !== null)
          event.stopPropagation();
      }}
      sx={{
        minWidth: 0,
        border: 1,
        borderColor: invalid ? "error.main" : "var(--oven-border-strong)",
        borderRadius: "7px",
        bgcolor: "background.paper",
        "&:focus-within": { outline: "2px solid var(--oven-focus)", outlineOffset: "-1px" },
      }}
    />
  );
}

function nameOf({
  id,
  label,
  describedBy,
  invalid,
}: Pick<CelEditorProps, "id" | "label" | "describedBy" | "invalid">): Record<string, string> {
  return {
    id,
    "aria-label": label,
    "aria-invalid": String(invalid),
    ...(describedBy === undefined ? {} : { "aria-describedby": describedBy }),
    spellcheck: "false",
    autocapitalize: "off",
  };
}

async function offer(
  { state, pos, explicit }: CompletionContext,
  variables: () => readonly Variable[],
): Promise<CompletionResult | null> {
  const text = state.doc.toString();
  // Unasked only after a name or a dot: an empty field is not covered by a list.
  if (!explicit && !/[\w.]$/.test(text.slice(0, pos))) return null;
  const language = await loadLanguage().catch(() => ({ variables: [], functions: [] }));
  const found = completeCel(text, pos, variables(), language);
  if (found.length === 0) return null;
  const typed = /\w*$/.exec(text.slice(0, pos))?.[0] ?? "";
  return { from: pos - typed.length, options: found.map(toOption), filter: false };
}

function toOption({ label, detail, info, apply, from, kind, back }: CelCompletion, index: number): Completion {
  return {
    label,
    detail,
    type: KINDS[kind],
    boost: -index,
    ...(info === "" ? {} : { info }),
    apply: (view, completion, _from, to) => {
      const end = from + apply.length - back;
      view.dispatch({
        ...insertCompletionText(view.state, apply, from, to),
        selection: { anchor: end },
        annotations: pickedCompletion.of(completion),
      });
    },
  };
}

async function findProblem(view: EditorView, tell: CelEditorProps["onProblem"]) {
  const text = view.state.doc.toString();
  // Nothing is there yet: that it is needed is said elsewhere.
  let problem: CelCheck["problem"] = null;
  try {
    if (text.trim() !== "") problem = await checkCel(text);
  } catch (error) {
    // The text could not be checked; publishing checks it again.
    tell(null);
    const message = t("It could not be checked: {{reason}}", {
      reason: error instanceof Error ? error.message : String(error),
    });
    return [{ from: 0, to: view.state.doc.length, severity: "warning" as const, message }];
  }
  if (view.state.doc.toString() === text) tell(problem);
  if (problem === null) return [];
  const { message, fix } = problem;
  const length = view.state.doc.length;
  // The end of the text has no width: the sign before it is marked.
  const to = Math.min(Math.max(problem.end, problem.start + 1), length);
  const from = Math.min(problem.start, Math.max(0, to - 1));
  return [{ from, to, severity: "error" as const, message: `${message}. ${fix}` }];
}
