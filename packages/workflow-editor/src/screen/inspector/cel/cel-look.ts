import { Decoration, EditorView, MatchDecorator, ViewPlugin, WidgetType } from "@codemirror/view";
import { deceptivePlaces } from "@oven/contract";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";

/** Colours only: what is CEL is the server's to say. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\b\d+(?:\.\d+)?\b|\b(?:true|false|null|in)\b/g;

const marks = new MatchDecorator({
  regexp: TOKEN,
  decoration: ([token]) =>
    Decoration.mark({ class: /^["']/.test(token) ? "cm-text" : /^\d/.test(token) ? "cm-number" : "cm-constant" }),
});

const colours = ViewPlugin.define(
  (view) => ({
    marks: marks.createDeco(view),
    update(update) {
      this.marks = marks.updateDeco(update, this.marks);
    },
  }),
  { decorations: (plugin) => plugin.marks },
);

/** What stands for a deceptive character. */
class DeceptiveMark extends WidgetType {
  readonly #mark: string;

  constructor(mark: string) {
    super();
    this.#mark = mark;
  }

  override eq(other: DeceptiveMark): boolean {
    return other.#mark === this.#mark;
  }

  override toDOM(): HTMLElement {
    const shown = document.createElement("span");
    shown.className = "cm-deceptive";
    shown.textContent = this.#mark;
    return shown;
  }
}

/** Each word and each run of other characters: letters pass for others within a word only. */
const PIECE = /\S+|[^\S\n]+/g;

/** Marks in the place of deceptive characters; the text stays as it is. */
const deceptive = new MatchDecorator({
  regexp: PIECE,
  decorate(add, from, _to, [piece]) {
    for (const { at, length, mark } of deceptivePlaces(piece))
      add(from + at, from + at + length, Decoration.replace({ widget: new DeceptiveMark(mark) }));
  },
});

const deceptiveMarks = ViewPlugin.define(
  (view) => ({
    marks: deceptive.createDeco(view),
    update(update) {
      this.marks = deceptive.updateDeco(update, this.marks);
    },
  }),
  { decorations: (plugin) => plugin.marks },
);

/** The colours of the page, so that light and dark follow by themselves. */
const theme = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--oven-text)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: MONOSPACE, lineHeight: "20px", maxHeight: "320px", overflow: "auto" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--oven-text)" },
  ".cm-line": { padding: "0 10px" },
  ".cm-placeholder": { color: "var(--oven-text-muted)" },
  ".cm-text": { color: "var(--oven-code-text)" },
  ".cm-number": { color: "var(--oven-code-number)" },
  ".cm-constant": { color: "var(--oven-code-constant)" },
  ".cm-deceptive": { color: "var(--oven-status-failed)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--oven-status-failed) 1.5px",
    textUnderlineOffset: "3px",
  },
  // Over a drawer, too.
  ".cm-tooltip": {
    zIndex: "1500",
    maxWidth: "min(420px, 94vw)",
    backgroundColor: "var(--oven-surface)",
    color: "var(--oven-text)",
    border: "1px solid var(--oven-border-strong)",
    borderRadius: "7px",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: MONOSPACE, fontSize: "12.5px", maxHeight: "15em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--oven-focus)",
    color: "var(--oven-surface)",
  },
  ".cm-completionDetail": { fontStyle: "normal", color: "var(--oven-text-muted)", marginLeft: "1em" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-tooltip.cm-completionInfo": { padding: "6px 10px", fontSize: "12.5px", whiteSpace: "pre-line" },
  ".cm-tooltip-lint": { fontSize: "12.5px" },
});

export const celLook = [theme, colours, deceptiveMarks];
