import Box from "@mui/material/Box";
import { sourceOf } from "@oven/contract/format";
import type { NodeType } from "@oven/contract/node";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ErrorBoundary } from "@oven/ui/components/error-boundary.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, Suspense, useEffect, useState } from "react";
import { Authenticated } from "react-admin";
import { useLocation, useParams } from "react-router-dom";
import { OwnedWorkflow } from "../definition/owned-workflow.tsx";
import { useStoredDraft } from "../definition/use-stored-draft.ts";
import { EditorStore } from "../editor/editor-store.ts";
import { createdWorkflow, forgetCreated } from "./created-workflows.ts";
import { EditorScreen } from "./editor-screen.tsx";
import { EditorSkeleton } from "./editor-skeleton.tsx";
import { chooseDraft, loadDraft, type OpenDraft, type StoredWork } from "./open-draft.ts";
import type { SettingsSheet } from "./settings-sheet.ts";

/** The editor of a workflow of either kind; it takes the whole window. */
export function EditorPage({ kind, settings }: { kind: WorkflowKind; settings: SettingsSheet }): ReactElement {
  const { id = "" } = useParams();
  const { pathname } = useLocation();
  return (
    <Authenticated>
      <Box component="main" sx={{ height: "100dvh", overflow: "hidden", bgcolor: "background.default" }}>
        <ErrorBoundary resetKey={pathname}>
          <Suspense fallback={<EditorSkeleton />}>
            <LoadedEditor key={`${kind.resource}/${id}`} kind={kind} id={id} settings={settings} />
          </Suspense>
        </ErrorBoundary>
      </Box>
    </Authenticated>
  );
}

interface LoadedEditorProps {
  kind: WorkflowKind;
  id: string;
  settings: SettingsSheet;
}

function LoadedEditor({ kind, id, settings }: LoadedEditorProps): ReactElement {
  // No refetch while it is being edited: what was started from must stay what is compared with.
  const { data: workflow, error, refetch } = useRecord<Workflow>(kind.resource, id, { refetchOnWindowFocus: false });
  const nodeTypes = useNodeTypes();
  if (error) return <Failed error={error} onRetry={refetch} />;
  if (workflow === undefined) return <EditorSkeleton />;
  const source = sourceOf(workflow.definition);
  if (source !== null) return <OwnedWorkflow kind={kind} workflow={workflow} source={source} nodeTypes={nodeTypes} />;
  return <DraftLoader key={workflow.id} kind={kind} workflow={workflow} nodeTypes={nodeTypes} settings={settings} />;
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactElement {
  return (
    <Box sx={{ p: 3, maxWidth: 720 }}>
      <ErrorPanel error={error} title={t("The workflow could not be opened")} onRetry={onRetry} />
    </Box>
  );
}

interface DraftLoaderProps {
  kind: WorkflowKind;
  workflow: Workflow;
  nodeTypes: NodeType[] | undefined;
  settings: SettingsSheet;
}

function DraftLoader({ kind, workflow, nodeTypes, settings }: DraftLoaderProps): ReactElement {
  const { found } = useStoredDraft<StoredWork>(`editor.${kind.resource}.${workflow.id}`);
  const [first] = useState(workflow);
  const [created] = useState(() => createdWorkflow(kind.resource, workflow.id));
  const [opened, setOpened] = useState<{ draft: OpenDraft; store: EditorStore } | null>(created ?? null);
  const [failure, setFailure] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (created !== undefined) return forgetCreated(kind.resource, first.id);
    let wanted = true;
    loadDraft(kind, first.id).then(
      (draft) => {
        if (!wanted) return;
        const chosen = chooseDraft(first, draft, found);
        setOpened({ draft: chosen, store: new EditorStore(chosen.definition) });
      },
      (error: unknown) => {
        if (wanted) setFailure(error);
      },
    );
    return () => {
      wanted = false;
    };
  }, [kind, first, found, tries, created]);
  if (failure !== null)
    return (
      <Failed
        error={failure}
        onRetry={() => {
          setFailure(null);
          setTries(tries + 1);
        }}
      />
    );
  if (opened === null) return <EditorSkeleton />;
  return (
    <EditorScreen
      kind={kind}
      workflow={workflow}
      opened={opened.draft}
      store={opened.store}
      nodeTypes={nodeTypes}
      settings={settings}
    />
  );
}
