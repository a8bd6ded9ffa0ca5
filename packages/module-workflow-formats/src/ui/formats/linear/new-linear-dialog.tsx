import TextField from "@mui/material/TextField";
import type { LinearWorkflow } from "@oven/contract/formats/linear.ts";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { useNavigate } from "react-router-dom";

/** A linear workflow without steps, which opens in its form. */
export function NewLinearDialog({ onClose }: { onClose: () => void }): ReactElement {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const navigate = useNavigate();
  return (
    <FormDialog
      title={t("New linear workflow")}
      submitLabel={t("Create")}
      failureTitle={t("The workflow was not created")}
      usable={name.trim() !== ""}
      onSubmit={async () => {
        const { json } = await api("linear-workflows", { method: "POST", body: { name, description } });
        // cast: the route's response
        await navigate(`/linear-workflows/${(json as LinearWorkflow).uuid}`);
      }}
      onClose={onClose}
    >
      <TextField label={t("Name")} value={name} required autoFocus onChange={(event) => setName(event.target.value)} />
      <TextField
        label={t("Description")}
        value={description}
        multiline
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  );
}
