import Button from "@mui/material/Button";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { useNavigate } from "react-router-dom";

/** Makes a copy of what a document compiles to, and opens it on the canvas. */
export function ConvertButton({ format, workflow }: { format: string; workflow: string }): ReactElement | null {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const mayImport = useCan("workflow-formats.create");
  const mayCreate = useCan("agent-workflows.create");
  if (!mayImport || !mayCreate) return null;
  const convert = async (): Promise<void> => {
    const path = `workflow-formats/${format}/${encodeURIComponent(workflow)}/convert`;
    const { json } = await api(path, { method: "POST" });
    // cast: the route's response
    void navigate(`/agent-workflows/${(json as Workflow).id}/editor`);
  };
  return (
    <>
      <Button variant="outlined" size="small" onClick={() => setAsking(true)}>
        {t("Convert to canvas")}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t("Make a copy for the canvas?")}
        text={t(
          "The copy is a workflow of its own. It knows nothing of the document any more, and there is no way back; the document stays as it is.",
        )}
        confirmLabel={t("Convert")}
        onConfirm={convert}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
