import AutoAwesomeOutlined from "@mui/icons-material/AutoAwesomeOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import type { Building, StartBuilding } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { toAssistant } from "@oven/workflow-editor/screen/assistant/opening.ts";
import { useMayBuild } from "@oven/workflow-editor/screen/assistant/use-may-build.ts";
import { type FormEvent, type KeyboardEvent, type ReactElement, useState } from "react";
import { useNavigate } from "react-router-dom";

/** Says what should happen, and goes to the editor, where the assistant builds it. */
export function DescribeBox(): ReactElement | null {
  const mayBuild = useMayBuild();
  const mayCreate = useCan("agent-workflows.create");
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const begin = useAction(async (message: string) => {
    const body: StartBuilding = { message };
    const { json } = await api("builder/conversations", { method: "POST", body });
    const { workflowId, chatId } = json as Building; // cast: the shape of the route
    navigate(...toAssistant(workflowId, { chatId }));
  });
  if (!mayBuild || !mayCreate) return null;
  const send = (): void => {
    const message = text.trim();
    if (message !== "" && !begin.busy) void begin.run(message);
  };
  return (
    <Panel title={t("Describe what should happen")}>
      <Box
        component="form"
        aria-label={t("Describe what should happen")}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          send();
        }}
        sx={{ display: "grid", gap: 1.25 }}
      >
        <TextField
          multiline
          minRows={2}
          maxRows={8}
          size="small"
          fullWidth
          value={text}
          placeholder={t(
            "When a customer writes, find the order, draft an answer, and let a person approve it before it is sent",
          )}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
          slotProps={{ htmlInput: { "aria-label": t("What should happen"), maxLength: 20_000 } }}
        />
        {begin.failure === null ? null : (
          <ErrorPanel error={begin.failure} title={t("The conversation could not be started")} />
        )}
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.25 }}>
          <Box sx={{ flex: "1 1 220px", fontSize: 13, color: "text.secondary" }}>
            {t("The assistant builds a draft in the editor. It asks what it cannot know, and never publishes.")}
          </Box>
          <Button
            type="submit"
            variant="contained"
            startIcon={<AutoAwesomeOutlined />}
            loading={begin.busy}
            disabled={text.trim() === ""}
          >
            {t("Build a draft")}
          </Button>
        </Box>
      </Box>
    </Panel>
  );
}
