import type { JsonObject } from "@oven/contract";
import type { Workflow, WorkflowDraft } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ApiError } from "@oven/ui/api/api-error.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type StoredDraft, useStoredDraft } from "../definition/use-stored-draft.ts";
import type { EditorStore } from "../editor/editor-store.ts";

/** Writing to the browser's storage stands in the way of drawing. */
const KEEP_MS = 200;
const REST_MS = 800;
const RETRY_MS = 5_000;

/** Whether what is on the canvas is safe. */
export type SaveState =
  | { is: "published" }
  | { is: "unsaved" }
  | { is: "saving" }
  | { is: "saved"; at: string }
  | { is: "offline"; failure: unknown }
  | { is: "conflict"; theirs: WorkflowDraft; base: JsonObject };

/** What this browser keeps beside the server, so that a crash or a lost connection loses nothing. */
export interface StoredWork {
  definition: JsonObject;
  /** The revision of the server's draft that it was made from; 0: there was no draft. */
  revision: number;
  baseVersion: number;
}

/** What the server has: the draft, or without one the version. */
interface Base {
  definition: JsonObject;
  revision: number;
  baseVersion: number;
  updatedAt: string | null;
}

/** Where a session of the editor begins. */
export interface OpenDraft extends StoredWork {
  /** The browser had changes that never reached the server. */
  recovered: boolean;
  server: Base;
}

/** The draft on the server, or null where there is none. @throws ApiError */
export async function loadDraft(kind: WorkflowKind, id: number): Promise<WorkflowDraft | null> {
  try {
    const { json } = await api(`${kind.resource}/${id}/draft`);
    return json as WorkflowDraft; // cast: the shape of the draft route
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/**
 * Begins with what this browser kept, whatever happened meanwhile: saving or publishing it will find out what somebody else did and
 * ask. Else with the draft, else with the version.
 */
export function chooseDraft(
  workflow: Workflow,
  draft: WorkflowDraft | null,
  kept: StoredDraft<StoredWork> | null,
): OpenDraft {
  const server: Base = draft ?? {
    definition: workflow.definition,
    revision: 0,
    baseVersion: workflow.version,
    updatedAt: null,
  };
  const work = kept?.draft;
  if (work === undefined || JSON.stringify(work.definition) === JSON.stringify(server.definition))
    return { ...server, recovered: false, server };
  // The draft it was made from may have been published or discarded since; then it begins a new one.
  return { ...work, revision: draft === null ? 0 : work.revision, recovered: true, server };
}

export interface Draft {
  state: SaveState;
  revision: number;
  baseVersion: number;
  /** Saves what is on the canvas now, and answers its revision; 0 when nothing was changed. @throws ApiError */
  flush: () => Promise<number>;
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
  /** Goes back to what the server had when the session began. */
  dropStored: () => void;
}

function toState({ updatedAt }: Base): SaveState {
  return updatedAt === null ? { is: "published" } : { is: "saved", at: updatedAt };
}

/** Saves the document as the draft of a workflow a moment after each change, by compare and set. */
export function useDraft(kind: WorkflowKind, workflow: Workflow, store: EditorStore, opened: OpenDraft): Draft {
  const document = useSyncExternalStore(store.subscribe, () => store.document);
  const kept = useStoredDraft<StoredWork>(`editor.${kind.resource}.${workflow.id}`);
  const [state, setState] = useState<SaveState>(opened.recovered ? { is: "unsaved" } : toState(opened.server));
  // What the server has: `saved` is the object that was sent, so that a change is told by identity.
  const server = useRef({
    revision: opened.revision,
    baseVersion: opened.baseVersion,
    saved: opened.recovered ? null : opened.definition,
  });
  // What others have, too: a merge begins with it. Of what was made from another revision, that is not known.
  const isKnown = opened.revision === opened.server.revision;
  const shared = useRef<JsonObject>(isKnown ? opened.server.definition : {});
  const running = useRef<Promise<number> | null>(null);
  const [, redraw] = useState(0);

  const save = useCallback(async (): Promise<number> => {
    if (running.current !== null) await running.current.catch(() => 0);
    const definition = store.document;
    if (definition === server.current.saved) return server.current.revision;
    const { revision, baseVersion } = server.current;
    setState({ is: "saving" });
    const request = api(`${kind.resource}/${workflow.id}/draft`, {
      method: "PUT",
      body: { definition, revision, baseVersion },
    }).then(({ json }) => {
      const draft = json as WorkflowDraft; // cast: the shape of the draft route
      server.current = { ...server.current, revision: draft.revision, saved: definition };
      shared.current = definition;
      setState(store.document === definition ? { is: "saved", at: draft.updatedAt } : { is: "unsaved" });
      if (store.document === definition) kept.forget();
      return draft.revision;
    });
    running.current = request;
    try {
      return await request;
    } catch (error) {
      const theirs = error instanceof ApiError && error.code === "STALE_DRAFT" ? error.details?.current : undefined;
      // cast: a stale draft is answered with the one that is there
      setState(
        theirs === undefined
          ? { is: "offline", failure: error }
          : { is: "conflict", theirs: theirs as unknown as WorkflowDraft, base: shared.current },
      );
      throw error;
    } finally {
      if (running.current === request) running.current = null;
    }
  }, [kind, workflow.id, store, kept.forget]);

  const isConflict = state.is === "conflict";
  const isOffline = state.is === "offline";
  const { keep } = kept;
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
    if (document === server.current.saved) return;
    const keeping = setTimeout(keepWork, KEEP_MS);
    if (isConflict) return () => clearTimeout(keeping);
    setState((before) => (before.is === "saving" || before.is === "offline" ? before : { is: "unsaved" }));
    const timer = setTimeout(
      // What went wrong is the state by now.
      () => void save().catch((error: unknown) => error),
      isOffline ? RETRY_MS : REST_MS,
    );
    return () => {
      clearTimeout(keeping);
      clearTimeout(timer);
    };
  }, [document, save, keepWork, isConflict, isOffline]);

  const settle = (next: { revision: number; baseVersion: number; saved: JsonObject | null }, is: SaveState): void => {
    server.current = next;
    if (next.saved !== null) shared.current = next.saved;
    kept.forget();
    setState(is);
    redraw((count) => count + 1);
  };
  return {
    state,
    revision: server.current.revision,
    baseVersion: server.current.baseVersion,
    flush,
    published: ({ version }) =>
      settle({ revision: 0, baseVersion: version, saved: store.document }, { is: "published" }),
    dropStored: () => {
      const { definition, revision, baseVersion } = opened.server;
      store.load(definition);
      settle({ revision, baseVersion, saved: definition }, toState(opened.server));
    },
    takeTheirs: () => {
      if (state.is !== "conflict") return;
      const { definition, revision, baseVersion, updatedAt } = state.theirs;
      store.load(definition);
      settle({ revision, baseVersion, saved: definition }, { is: "saved", at: updatedAt });
    },
    keepMine: () => {
      if (state.is !== "conflict") return;
      const { revision, baseVersion } = state.theirs;
      server.current = { revision, baseVersion, saved: null };
      void save().catch((error: unknown) => error);
    },
    merge: (joined) => {
      if (state.is !== "conflict") return;
      const { revision, baseVersion, definition } = state.theirs;
      server.current = { revision, baseVersion, saved: null };
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
