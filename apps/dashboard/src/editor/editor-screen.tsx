import Box from "@mui/material/Box";
import Drawer from "@mui/material/Drawer";
import { useTheme } from "@mui/material/styles";
import type { JsonObject, NodeType, Workflow } from "@oven/contract";
import { toGraph } from "@oven/workflow-editor";
import { type EditorStore, findState, nodeAtPath } from "@oven/workflow-editor/document";
import { WorkflowEditor } from "@oven/workflow-editor/workflow-editor";
import { type ReactElement, useEffect, useState, useSyncExternalStore } from "react";
import { useDataProvider } from "react-admin";
import { useCan } from "../components/use-can.ts";
import { useIsNarrow } from "../components/use-is-narrow.ts";
import { useServerCheck } from "../resources/workflows/use-server-check.ts";
import type { WorkflowKind } from "../resources/workflows/workflow-kind.ts";
import { EditorBar } from "./editor-bar.tsx";
import { EditorDrawer } from "./editor-drawer.tsx";
import { EditorNotices } from "./editor-notices.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import { useLastRun } from "./inspector/use-last-run.ts";
import { WorkflowInspector } from "./inspector/workflow-inspector.tsx";
import { type OpenDraft, useDraft } from "./use-draft.ts";

export interface EditorScreenProps {
  kind: WorkflowKind;
  workflow: Workflow;
  opened: OpenDraft;
  store: EditorStore;
  nodeTypes: NodeType[] | undefined;
}

/** Bar, palette and canvas, inspector, and the drawer below. */
export function EditorScreen({ kind, workflow, opened, store, nodeTypes }: EditorScreenProps): ReactElement {
  const theme = useTheme();
  const narrow = useIsNarrow();
  const definition = useSyncExternalStore(store.subscribe, () => store.document);
  const { selection } = useSyncExternalStore(store.subscribe, store.getState);
  const check = useServerCheck(kind.resource, definition);
  const draft = useDraft(kind, workflow, store, opened);
  const [shown, setShown] = useState<{ id: string } | null>(null);
  const [focus, setFocus] = useState(0);
  const run = useLastRun(kind, workflow.id);
  const [problemsOpen, setProblemsOpen] = useState(false);
  const [version, setVersion] = useState(workflow.version);
  const mayCreate = useCan(`${kind.resource}.create`);
  const dataProvider = useDataProvider();
  const create = async (name: string, created: JsonObject): Promise<string> => {
    const { data } = await dataProvider.create<Workflow>(kind.resource, { data: { name, definition: created } });
    return data.slug;
  };
  const [single, ...others] = [...selection.nodes].filter((id) => findState(definition, id) !== undefined);
  useEffect(() => {
    document.title = `${workflow.name} · Editor · OVEN`;
  }, [workflow.name]);
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (draft.state.is === "unsaved" || draft.state.is === "saving") event.preventDefault();
    };
    window.addEventListener("beforeunload", onUnload);
    return () => window.removeEventListener("beforeunload", onUnload);
  }, [draft.state.is]);
  const subject = { store, nodeTypes, problems: check.problems, run };
  return (
    <Box sx={{ display: "flex", flexDirection: "column", height: "100%" }}>
      <EditorBar
        kind={kind}
        workflow={workflow}
        version={version}
        store={store}
        nodeTypes={nodeTypes}
        draft={draft}
        check={check}
        onPublished={(published) => {
          draft.published(published);
          setVersion(published.version);
        }}
        onProblems={() => setProblemsOpen(!problemsOpen)}
      />
      <EditorNotices draft={draft} recovered={opened.recovered} />
      <Box sx={{ flex: 1, minHeight: 0, display: "flex" }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <WorkflowEditor
            store={store}
            nodeTypes={nodeTypes}
            problems={check.problems}
            dark={theme.palette.mode === "dark"}
            label={`Graph of ${workflow.name}`}
            onOpen={() => setFocus((count) => count + 1)}
            shown={shown}
            narrow={narrow}
            kind={kind.kind}
            // What went wrong is the state of the draft by then.
            onSave={() => void draft.flush().catch((error: unknown) => error)}
            onCreate={mayCreate ? create : undefined}
          />
        </Box>
        {narrow && single !== undefined ? (
          <Drawer anchor="bottom" open={focus > 0} onClose={() => setFocus(0)}>
            <Box sx={{ maxHeight: "75dvh", overflow: "auto", "& > aside": { width: "auto", border: 0 } }}>
              <Inspector {...subject} key={single} stateId={single} focus={focus} />
            </Box>
          </Drawer>
        ) : null}
        {narrow || others.length > 0 ? null : single === undefined ? (
          <WorkflowInspector {...subject} stateId={null} />
        ) : (
          <Inspector {...subject} key={single} stateId={single} focus={focus} />
        )}
      </Box>
      <EditorDrawer
        open={problemsOpen}
        setOpen={setProblemsOpen}
        check={check}
        onJump={(problem) => {
          const id = nodeAtPath(problem.path, toGraph(store.document));
          if (id !== null) setShown({ id });
        }}
      />
    </Box>
  );
}
