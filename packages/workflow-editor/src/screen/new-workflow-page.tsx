import ArrowBackRounded from "@mui/icons-material/ArrowBackRounded";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import { useTheme } from "@mui/material/styles";
import Tooltip from "@mui/material/Tooltip";
import { FIRST_VERSION, type Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { asApiError } from "@oven/ui/api/api-error.ts";
import { ErrorBoundary } from "@oven/ui/components/error-boundary.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Authenticated, useCreate } from "react-admin";
import { Link, useNavigate } from "react-router-dom";
import { WorkflowEditor } from "../editor/workflow-editor.tsx";
import { newDocument, rememberCreated } from "./created-workflows.ts";
import { useNewTrigger } from "./triggers/use-new-trigger.tsx";
import { WorkflowName } from "./workflow-name.tsx";

/** A canvas without a workflow: the first change creates it. Who goes away without one leaves nothing behind. */
export function NewWorkflowPage({ kind }: { kind: WorkflowKind }): ReactElement {
  return (
    <Authenticated>
      <Box component="main" sx={{ height: "100dvh", overflow: "hidden", bgcolor: "background.default" }}>
        <ErrorBoundary resetKey={kind.resource}>
          <NewWorkflow key={kind.resource} kind={kind} />
        </ErrorBoundary>
      </Box>
    </Authenticated>
  );
}

function NewWorkflow({ kind }: { kind: WorkflowKind }): ReactElement {
  const { resource } = kind;
  const theme = useTheme();
  const narrow = useIsNarrow();
  const nodeTypes = useNodeTypes();
  const navigate = useNavigate();
  const [send] = useCreate<Workflow>();
  const [store] = useState(newDocument);
  const [empty] = useState(store.document);
  const [failure, setFailure] = useState<string | null>(null);
  const document = useSyncExternalStore(store.subscribe, () => store.document);
  const made = useRef<Promise<Workflow> | null>(null);
  /** Creates it, once; a failed attempt is made again by the next change. */
  const create = useCallback(
    async (name: string): Promise<Workflow> => {
      const body = { data: { name, definition: FIRST_VERSION } };
      // cast: with `returnPromise` it answers the row
      const making = made.current ?? (send(resource, body, { returnPromise: true }) as Promise<Workflow>);
      made.current = making;
      try {
        return await making;
      } catch (error) {
        made.current = null;
        throw error;
      }
    },
    [send, resource],
  );
  const left = useRef(false);
  const goOn = useCallback(
    (name: string): void => {
      setFailure(null);
      create(name).then(
        (workflow) => {
          if (left.current) return;
          left.current = true;
          rememberCreated(resource, workflow, store);
          navigate(`/${resource}/${workflow.id}/editor`, { replace: true });
        },
        (error: unknown) => setFailure(asApiError(error).message),
      );
    },
    [create, navigate, resource, store],
  );
  const untitled = t("Untitled workflow");
  useEffect(() => {
    if (document !== empty) goOn(untitled);
  }, [document, empty, goOn, untitled]);
  useEffect(() => {
    window.document.title = `${kind.newWorkflow} · OVEN`;
  }, [kind]);
  const trigger = useNewTrigger({
    kind,
    // There is no version that it could start.
    enabled: false,
    workflowId: async () => (await create(untitled)).id,
    onSaved: () => goOn(untitled),
    onClosed: () => {
      // The workflow is there although its trigger was not saved: it is shown, not left behind.
      if (made.current !== null) goOn(untitled);
    },
  });
  return (
    <Box sx={{ display: "flex", flexDirection: "column", height: "100%" }}>
      <Box
        component="header"
        sx={{
          display: "flex",
          alignItems: "center",
          gap: 1,
          px: 1.5,
          py: 0.75,
          minHeight: 52,
          borderBottom: 1,
          borderColor: "divider",
          bgcolor: "background.paper",
        }}
      >
        <Tooltip title={t("Back to the list")}>
          <IconButton component={Link} to={`/${resource}`} aria-label={t("Back to the list")}>
            <ArrowBackRounded sx={{ fontSize: 20 }} />
          </IconButton>
        </Tooltip>
        <WorkflowName name="" onRename={goOn} />
        {narrow ? null : <ToneChip tone="queued" word={t("Created with your first change")} />}
      </Box>
      {failure === null ? null : (
        <Alert severity="error" sx={{ borderRadius: 0 }}>
          {t("The workflow was not created: {{why}}", { why: failure })}
        </Alert>
      )}
      <Box sx={{ flex: 1, minHeight: 0 }}>
        <WorkflowEditor
          store={store}
          nodeTypes={nodeTypes}
          problems={[]}
          dark={theme.palette.mode === "dark"}
          label={t("Graph of {{name}}", { name: kind.newWorkflow })}
          narrow={narrow}
          kind={kind.kind}
          onSave={() => goOn(untitled)}
          onNewTrigger={trigger.ask}
        />
      </Box>
      {trigger.sheet}
    </Box>
  );
}
