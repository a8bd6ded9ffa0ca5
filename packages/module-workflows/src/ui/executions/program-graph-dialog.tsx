import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import LinearProgress from "@mui/material/LinearProgress";
import type { JsonObject } from "@oven/contract";
import { FIRST_VERSION, type ProgramGraph, type ProgramNote, type Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";

export interface ProgramGraphDialogProps {
  /** The kind of workflow that the graph becomes. */
  kind: WorkflowKind;
  definition: JsonObject;
  stateId: string;
  program: string;
  onClose: () => void;
}

/** Shows what a program is as a graph, and opens it as the draft of a new workflow. */
export function ProgramGraphDialog({
  kind,
  definition,
  stateId,
  program,
  onClose,
}: ProgramGraphDialogProps): ReactElement {
  const navigate = useNavigate();
  const [graph, setGraph] = useState<ProgramGraph | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const gone = new AbortController();
    api("programs/graph", { method: "POST", body: { definition, stateId, program }, signal: gone.signal }).then(
      // cast: the route's response
      ({ json }) => setGraph(json as ProgramGraph),
      (error: unknown) => {
        if (!gone.signal.aborted) setFailure(error);
      },
    );
    return () => gone.abort();
  }, [definition, stateId, program]);
  const open = async (made: ProgramGraph): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const id = await storeDraft(kind, t("Program of {{step}}", { step: stateId }), made.definition);
      void navigate(`/${kind.resource}/${id}/editor`);
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="program-graph-title">
      <DialogTitle id="program-graph-title" sx={{ fontSize: 16, pb: 0.5 }}>
        {t("The program as a graph")}
      </DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 1.5 }}>
        {graph === null ? (
          failure === null ? (
            <LinearProgress aria-label={t("Making the graph")} />
          ) : null
        ) : (
          <Summary graph={graph} />
        )}
        {failure === null ? null : <ErrorPanel error={failure} title={t("That did not work")} />}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button variant="contained" loading={busy} disabled={graph === null} onClick={() => graph && void open(graph)}>
          {t("Open as a draft")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** A workflow of its own, whose published version does nothing. @returns its id */
async function storeDraft({ resource }: WorkflowKind, name: string, definition: JsonObject): Promise<number> {
  const { json } = await api(resource, { method: "POST", body: { name, definition: FIRST_VERSION } });
  const { id, version } = json as Workflow; // cast: the route's response
  await api(`${resource}/${id}/draft`, { method: "PUT", body: { definition, baseVersion: version, revision: 0 } });
  return id;
}

function Summary({ graph: { calls, notes } }: { graph: ProgramGraph }): ReactElement {
  return (
    <>
      <Box>
        {t(
          "{{count}} calls become steps. Each keeps its approvals, retries and limits. What starts the workflow gives the inputs.",
          {
            count: calls,
          },
        )}
      </Box>
      {notes.length === 0 ? (
        <Box>{t("Nothing stays code.")}</Box>
      ) : (
        <Box component="ul" sx={{ m: 0, pl: 2.5, display: "grid", gap: 0.5 }}>
          {notes.map((note) => (
            <li key={`${note.kind} ${note.line} ${"state" in note ? note.state : ""}`}>{noteText(note)}</li>
          ))}
        </Box>
      )}
    </>
  );
}

function noteText(note: ProgramNote): string {
  switch (note.kind) {
    case "code":
      return t("From line {{line}}: stays code, in the step {{step}}", { line: note.line, step: note.state });
    case "program":
      return t("From line {{line}}: stays a program that calls tools, in the step {{step}}", {
        line: note.line,
        step: note.state,
      });
    case "numbers":
      return t("Line {{line}} writes numbers as texts: 5.0 may become 5, because steps hand numbers on as JSON", {
        line: note.line,
      });
  }
}
