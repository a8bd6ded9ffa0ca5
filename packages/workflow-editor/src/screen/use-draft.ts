import type { JsonObject } from "@oven/contract";
import type { Workflow, WorkflowDraft } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ApiError } from "@oven/ui/api/api-error.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { DiffMark } from "../compare/drawn-diff.ts";
import { isSameJson } from "../compare/merge-definitions.ts";
import { useStoredDraft } from "../definition/use-stored-draft.ts";
import type { EditorStore } from "../editor/editor-store.ts";
import { changedStates, type FoldAuthor, foldDraft, toFoldLabel } from "./fold-draft.ts";
import { loadDraft, type OpenDraft, type StoredWork } from "./open-draft.ts";

/** Writing to the browser's storage stands in the way of drawing. */
const KEEP_MS = 200;
const REST_MS = 800;
const RETRY_MS = 5_000;
/** Newer drafts that one save folds in: more of them in a row, and a person should look. */
const MAX_FOLDS = 5;

/** Whether what is on the canvas is safe. */
export type SaveState =
  | { is: "published" }
  | { is: "unsaved" }
  | { is: "saving" }
  | { is: "saved"; at: string }
  | { is: "offline"; failure: unknown }
  | { is: "conflict"; theirs: WorkflowDraft; base: JsonObject };

/** What goes on between this browser and the server. */
type Exchange = { is: "idle" } | Extract<SaveState, { is: "saving" | "offline" | "conflict" }>;

/** A newer draft of the server that was folded into the canvas. */
export interface FoldedDraft {
  by: FoldAuthor;
  /** The states that it made different. */
  states: ReadonlyMap<string, DiffMark>;
}

export interface Draft {
  state: SaveState;
  revision: number;
  baseVersion: number;
  /** Saves what is on the canvas now, and answers its revision; 0 when nothing was changed. @throws ApiError */
  flush: () => Promise<number>;
  /** The definition that the revision of the last `flush` holds. */
  flushed: () => JsonObject;
  /** Folds in what was saved elsewhere meanwhile, as one step of undo; where both changed the same, the state is a conflict. @throws ApiError */
  follow: () => Promise<void>;
  /** What was folded in last; null: nothing yet. */
  folded: FoldedDraft | null;
  /** After it was published: what is on the canvas is the version. */
  published: (workflow: Workflow) => void;
  /** Resolves a conflict with the other person's draft. */
  takeTheirs: () => void;
  /** Resolves a conflict with this draft, which is saved over the other person's. */
  keepMine: () => void;
  /** Resolves a conflict with a merge of both drafts. */
  merge: (document: JsonObject) => void;
  /** Both were joined with a version that was published meanwhile: it is what the draft begins with from now on. */
  rebase: (document: JsonObject, version: number) => void;
  /** Goes back to what the server had when the session began; saves that again where it was saved over since. */
  dropStored: () => void;
}

/** A change is unsaved from the moment it is drawn; one that is undone is not. */
function toState(exchange: Exchange, isDirty: boolean, updatedAt: string | null): SaveState {
  if (exchange.is === "saving" || exchange.is === "conflict") return exchange;
  if (isDirty) return exchange.is === "offline" ? exchange : { is: "unsaved" };
  return updatedAt === null ? { is: "published" } : { is: "saved", at: updatedAt };
}

/** The draft that made a save too late; undefined: it failed for another reason. */
function newerDraft(error: unknown): WorkflowDraft | undefined {
  const current = error instanceof ApiError && error.code === "STALE_DRAFT" ? error.details?.current : undefined;
  return current as unknown as WorkflowDraft | undefined; // cast: a stale draft is answered with the one that is there
}

/**
 * Saves the document as the draft of a workflow a moment after each change, by compare and set. What others save meanwhile is
 * folded in. `authorOf`: says whose a draft is that was saved elsewhere.
 */
export function useDraft(
  kind: WorkflowKind,
  workflow: Workflow,
  store: EditorStore,
  opened: OpenDraft,
  authorOf: (draft: WorkflowDraft) => FoldAuthor = () => "other",
): Draft {
  const document = useSyncExternalStore(store.subscribe, () => store.document);
  const { keep, forget } = useStoredDraft<StoredWork>(`editor.${kind.resource}.${workflow.id}`);
  const [exchange, setExchange] = useState<Exchange>({ is: "idle" });
  // What the server has: `saved` is the object that was sent, so that changes are found by identity.
  const server = useRef({
    revision: opened.revision,
    baseVersion: opened.baseVersion,
    saved: opened.recovered ? null : opened.definition,
    updatedAt: opened.server.updatedAt,
  });
  const isDirty = document !== server.current.saved;
  const state = toState(exchange, isDirty, server.current.updatedAt);
  // What others have, too: a merge begins with it. Of what was made from another revision, that is not known.
  const isKnown = opened.revision === opened.server.revision;
  const shared = useRef<JsonObject>(isKnown ? opened.server.definition : {});
  const running = useRef<Promise<unknown> | null>(null);
  const author = useRef(authorOf);
  author.current = authorOf;
  const [folded, setFolded] = useState<FoldedDraft | null>(null);

  /** Saving and folding in: one at a time. */
  const exclusively = useCallback(async <Result>(work: () => Promise<Result>): Promise<Result> => {
    while (running.current !== null) await running.current;
    const result = work();
    const ended = result.catch((error: unknown) => error);
    running.current = ended;
    try {
      return await result;
    } finally {
      if (running.current === ended) running.current = null;
    }
  }, []);

  /** Folds a draft of the server in; answers whether that could be done without asking. */
  const receive = useCallback(
    (theirs: WorkflowDraft): boolean => {
      store.flush();
      const mine = store.document;
      const document = foldDraft(shared.current, mine, theirs.definition);
      if (document === null) {
        setExchange({ is: "conflict", theirs, base: shared.current });
        return false;
      }
      const { revision, baseVersion, definition, updatedAt } = theirs;
      const isAll = isSameJson(document, definition);
      const next = isSameJson(document, mine) ? mine : document;
      server.current = { revision, baseVersion, saved: isAll ? next : null, updatedAt };
      shared.current = definition;
      setExchange({ is: "idle" });
      if (next === mine) return true;
      const by = author.current(theirs);
      store.apply(toFoldLabel(mine, next, by), { document: next });
      setFolded({ by, states: changedStates(mine, next) });
      return true;
    },
    [store],
  );

  const put = useCallback(async (): Promise<number> => {
    for (let folds = 0; ; folds += 1) {
      const definition = store.document;
      if (definition === server.current.saved) return server.current.revision;
      const { revision, baseVersion } = server.current;
      setExchange({ is: "saving" });
      try {
        const path = `${kind.resource}/${workflow.id}/draft`;
        const { json } = await api(path, { method: "PUT", body: { definition, revision, baseVersion } });
        const draft = json as WorkflowDraft; // cast: the shape of the draft route
        const { updatedAt } = draft;
        server.current = { ...server.current, revision: draft.revision, updatedAt, saved: definition };
        shared.current = definition;
        setExchange({ is: "idle" });
        if (store.document === definition) forget();
        return draft.revision;
      } catch (error) {
        const theirs = newerDraft(error);
        if (theirs === undefined) setExchange({ is: "offline", failure: error });
        else if (folds < MAX_FOLDS && receive(theirs)) continue;
        else setExchange({ is: "conflict", theirs, base: shared.current });
        throw error;
      }
    }
  }, [kind, workflow.id, store, forget, receive]);
  const save = useCallback(() => exclusively(put), [exclusively, put]);
  const follow = useCallback(
    () =>
      exclusively(async () => {
        const theirs = await loadDraft(kind, workflow.id);
        // None: it was published or discarded, which the next save finds out.
        if (theirs === null || theirs.revision === server.current.revision) return;
        if (receive(theirs)) await put();
      }),
    [exclusively, receive, put, kind, workflow.id],
  );

  const isConflict = exchange.is === "conflict";
  const isOffline = exchange.is === "offline";
  /** Puts what the server does not have into this browser; answers whether there was something. */
  const keepWork = useCallback((): boolean => {
    const { revision, baseVersion, saved } = server.current;
    const isNew = store.document !== saved;
    if (isNew) keep({ definition: store.document, revision, baseVersion });
    return isNew;
  }, [store, keep]);
  const flush = useCallback((): Promise<number> => {
    store.flush();
    return save();
  }, [store, save]);
  useEffect(() => {
    // The page may be gone before the next timer.
    const onLeave = (): void => {
      store.flush();
      keepWork();
    };
    const onVisibility = (): void => {
      if (globalThis.document.visibilityState === "hidden") onLeave();
    };
    window.addEventListener("pagehide", onLeave);
    globalThis.document.addEventListener("visibilitychange", onVisibility);
    return () => {
      window.removeEventListener("pagehide", onLeave);
      globalThis.document.removeEventListener("visibilitychange", onVisibility);
      store.flush();
      // Elsewhere in the dashboard now: it need not wait until the editor is opened again.
      if (keepWork()) void save().catch((error: unknown) => error);
    };
  }, [store, keepWork, save]);
  useEffect(() => {
    if (!isDirty) {
      if (isConflict) return;
      forget();
      if (isOffline) setExchange({ is: "idle" });
      return;
    }
    void document; // Another change begins the wait anew.
    const keeping = setTimeout(keepWork, KEEP_MS);
    if (isConflict) return () => clearTimeout(keeping);
    const timer = setTimeout(
      // What went wrong is the state by now.
      () => void save().catch((error: unknown) => error),
      isOffline ? RETRY_MS : REST_MS,
    );
    return () => {
      clearTimeout(keeping);
      clearTimeout(timer);
    };
  }, [document, isDirty, save, keepWork, forget, isConflict, isOffline]);

  const settle = (next: {
    revision: number;
    baseVersion: number;
    saved: JsonObject;
    updatedAt: string | null;
  }): void => {
    server.current = next;
    shared.current = next.saved;
    setExchange({ is: "idle" });
  };
  return {
    state,
    revision: server.current.revision,
    baseVersion: server.current.baseVersion,
    flush,
    flushed: () => shared.current,
    follow,
    folded,
    published: ({ version }) => settle({ revision: 0, baseVersion: version, saved: store.document, updatedAt: null }),
    dropStored: () => {
      const { definition, revision, baseVersion, updatedAt } = opened.server;
      const isUntouched = server.current.saved === null && running.current === null;
      if (isUntouched) settle({ revision, baseVersion, saved: definition, updatedAt });
      else server.current = { ...server.current, baseVersion, saved: null };
      store.load(definition);
    },
    takeTheirs: () => {
      if (state.is !== "conflict") return;
      const { definition, revision, baseVersion, updatedAt } = state.theirs;
      store.load(definition);
      settle({ revision, baseVersion, saved: definition, updatedAt });
    },
    keepMine: () => {
      if (state.is !== "conflict") return;
      const { revision, baseVersion, definition, updatedAt } = state.theirs;
      server.current = { revision, baseVersion, saved: null, updatedAt };
      shared.current = definition;
      void save().catch((error: unknown) => error);
    },
    merge: (joined) => {
      if (state.is !== "conflict") return;
      const { revision, baseVersion, definition, updatedAt } = state.theirs;
      server.current = { revision, baseVersion, saved: null, updatedAt };
      shared.current = definition;
      store.apply("Merge", { document: joined });
      void save().catch((error: unknown) => error);
    },
    rebase: (joined, baseVersion) => {
      server.current = { ...server.current, baseVersion, saved: null };
      store.apply(t("Merge with version {{baseVersion}}", { baseVersion }), { document: joined });
      void save().catch((error: unknown) => error);
    },
  };
}
