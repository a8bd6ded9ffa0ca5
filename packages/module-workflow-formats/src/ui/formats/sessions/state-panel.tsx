import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { GraphSession } from "@oven/contract/formats/sessions.ts";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonEditor } from "@oven/ui/components/json-editor/json-editor.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { readTypedJson } from "@oven/ui/components/typed-value.ts";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type ReactElement, useState } from "react";

export interface StatePanelProps {
  session: GraphSession;
  mayWrite: boolean;
  onWritten: () => void;
}

/** The state document. While it is being changed, what the session does meanwhile does not show in it. */
export function StatePanel({ session, mayWrite, onWritten }: StatePanelProps): ReactElement {
  const [draft, setDraft] = useState<string | null>(null);
  const shown = draft ?? JSON.stringify(session.state, null, 2);
  const typed = readTypedJson(shown);
  const broken = draft === null || typed.ok ? null : typed.message;
  const writing = useAction(async () => {
    if (typed.ok) await api(`graph-sessions/${session.id}/state`, { method: "PUT", body: typed.value });
    setDraft(null);
    onWritten();
  });
  const discard = (): void => {
    setDraft(null);
    writing.reset();
  };
  return (
    <Panel
      title={t("State")}
      aside={
        draft === null ? undefined : (
          <Box sx={{ display: "flex", gap: 1 }}>
            <Button size="small" onClick={discard}>
              {t("Discard")}
            </Button>
            <Button
              size="small"
              variant="contained"
              disabled={writing.busy || broken !== null}
              onClick={() => void writing.run()}
            >
              {t("Write")}
            </Button>
          </Box>
        )
      }
    >
      {writing.failure === null ? null : (
        <Box sx={{ mb: 2 }}>
          <ErrorPanel error={writing.failure} title={t("The state was not written")} />
        </Box>
      )}
      {broken === null ? null : (
        <Box role="alert" sx={{ mb: 1, fontSize: 13, color: "error.main" }}>
          {broken}
        </Box>
      )}
      <JsonEditor
        value={shown}
        onChange={setDraft}
        label={t("State of the session")}
        marks={[]}
        jump={null}
        height={420}
        readOnly={!mayWrite}
      />
    </Panel>
  );
}
