import AutoAwesomeOutlined from "@mui/icons-material/AutoAwesomeOutlined";
import Button from "@mui/material/Button";
import { t } from "@oven/i18n";
import { toAssistant } from "@oven/workflow-editor/screen/assistant/opening.ts";
import type { ReactElement } from "react";
import { useNavigate } from "react-router-dom";

/** Opens the editor with the question why a run failed, for the assistant to answer. */
export function WhyButton({ workflowId, runId }: { workflowId: number; runId: number }): ReactElement {
  const navigate = useNavigate();
  const question = t("Why did run #{{id}} fail, and what can be done about it?", { id: runId });
  return (
    <Button startIcon={<AutoAwesomeOutlined />} onClick={() => navigate(...toAssistant(workflowId, { question }))}>
      {t("Why did this fail?")}
    </Button>
  );
}
