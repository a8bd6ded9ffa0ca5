import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { findState } from "@oven/scope";
import { type Edit, isRefused, type Refusal } from "../document/edit.ts";
import { commit, type History, redo, seal, startHistory, undo } from "../document/history.ts";
import { PendingText, type TypedChange } from "./pending-text.ts";

/** What is selected, by the ids of the graph: states, notes and frames, and lines. */
export interface Selection {
  nodes: ReadonlySet<string>;
  edges: ReadonlySet<string>;
}

/** Said to the person: why something was not done, or what was. A new object says it again. */
export interface Notice {
  text: string;
  refused: boolean;
}

export interface EditorState {
  history: History<JsonObject>;
  selection: Selection;
  notice: Notice | null;
}

const NOTHING: Selection = { nodes: new Set(), edges: new Set() };

/** JSON of a state that cannot be read yet. */
export interface UnreadText {
  text: string;
  of: JsonObject;
}

/** The document being edited, with its history and what is selected in it; selecting is no step of the history. */
export class EditorStore {
  #state: EditorState;
  readonly #listeners = new Set<() => void>();
  readonly #pending = new PendingText(() => this.flush());
  #typed: { change: TypedChange; of: JsonObject; document: JsonObject } | null = null;

  constructor(document: JsonObject) {
    this.#state = { history: startHistory(document), selection: NOTHING, notice: null };
  }

  /** Texts that are no JSON yet, by the id of their state, with the state they were written over. */
  readonly #unread = new Map<string, UnreadText>();

  readonly getState = (): EditorState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Without what is being typed, until `flush` takes that over. */
  get document(): JsonObject {
    return this.#state.history.present;
  }

  #set(change: Partial<EditorState>): void {
    this.#state = { ...this.#state, ...change };
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Keeps a text that is being typed; it reaches the document when the keys rest, or before anything else is done. */
  type(change: TypedChange): void {
    if (this.#pending.change !== null && this.#pending.change.key !== change.key) this.flush();
    this.#pending.put(change);
    this.#tell();
  }

  /** Whether a text waits that is not in the document yet. */
  readonly isTyping = (): boolean => this.#pending.change !== null;

  /** Keeps a text that cannot be read, so that it is there again where it was written; null: it can be read now. */
  keepUnread(stateId: string, unread: UnreadText | null): void {
    if (unread !== null) this.#unread.set(stateId, unread);
    else if (!this.#unread.delete(stateId)) return;
    this.#tell();
  }

  /** The unread text of a state, while the state is what it was written over. */
  unreadOf(stateId: string, state: JsonObject): string | null {
    const unread = this.#unread.get(stateId);
    return unread !== undefined && unread.of === state ? unread.text : null;
  }

  /** The first state with a text that cannot be read, and that is as it was when it was written; null: there is none. */
  readonly firstUnread = (): string | null => {
    for (const [id, { of }] of this.#unread) if (findState(this.document, id)?.state === of) return id;
    return null;
  };

  /** With what is being typed: what fields show. */
  get typed(): JsonObject {
    const { change } = this.#pending;
    if (change === null) return this.document;
    if (this.#typed?.change !== change || this.#typed.of !== this.document)
      this.#typed = { change, of: this.document, document: change.edit(this.document) };
    return this.#typed.document;
  }

  /** Takes over what is being typed. */
  flush(): void {
    const typed = this.#pending.take();
    if (typed !== null) this.#set({ history: withTyped(this.#state.history, typed) });
  }

  /** Does a gesture, or says why not. `gesture`: changes under the same key in a row are one step of undo. */
  apply(label: string, result: Edit | Refusal, gesture: string | null = null): boolean {
    if (isRefused(result)) {
      this.refuse(result.reason);
      return false;
    }
    // The gesture was made of a document without the text: it is written into what the gesture made, too.
    const typed = this.#pending.take();
    const before = typed === null ? this.#state.history : withTyped(this.#state.history, typed);
    const document = typed === null ? result.document : typed.edit(result.document);
    const history = commit(before, document, label, gesture);
    const selection =
      result.select === undefined ? this.#state.selection : { nodes: new Set(result.select), edges: new Set<string>() };
    this.#set({ history, selection, notice: null });
    return true;
  }

  /** Ends a gesture that made several changes. */
  seal(): void {
    this.flush();
    const history = seal(this.#state.history);
    if (history !== this.#state.history) this.#set({ history });
  }

  refuse(reason: string): void {
    this.#set({ notice: { text: reason, refused: true } });
  }

  say(text: string): void {
    this.#set({ notice: { text, refused: false } });
  }

  dismiss(): void {
    if (this.#state.notice !== null) this.#set({ notice: null });
  }

  undo(): void {
    this.flush();
    const label = this.#state.history.past.at(-1)?.label;
    if (label === undefined) return;
    this.#set({
      history: undo(this.#state.history),
      notice: { text: t("Undone: {{label}}", { label }), refused: false },
    });
  }

  redo(): void {
    this.flush();
    const label = this.#state.history.future.at(-1)?.label;
    if (label === undefined) return;
    this.#set({
      history: redo(this.#state.history),
      notice: { text: t("Done again: {{label}}", { label }), refused: false },
    });
  }

  select(nodes: Iterable<string>, edges: Iterable<string> = []): void {
    const next = { nodes: new Set(nodes), edges: new Set(edges) };
    if (isSame(next, this.#state.selection)) return;
    this.flush();
    this.#set({ selection: next });
  }

  /** Another document, such as the version somebody else published: history begins anew. */
  load(document: JsonObject): void {
    this.#pending.take();
    this.#set({ history: startHistory(document), selection: NOTHING, notice: null });
  }
}

function withTyped(history: History<JsonObject>, { label, key, edit }: TypedChange): History<JsonObject> {
  return commit(history, edit(history.present), label, key);
}

function isSame(one: Selection, other: Selection): boolean {
  return isSameSet(one.nodes, other.nodes) && isSameSet(one.edges, other.edges);
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}
