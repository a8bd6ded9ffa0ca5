import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { LINEAR_STEP_TYPES, type LinearStepType, LinearStepTypeSchema } from "@oven/contract/formats/linear.ts";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { STEP_TITLES } from "./step-paths.ts";

/** A new step at the end of a linear workflow. */
export function NewStepDialog(props: { path: string; onMade: () => void; onClose: () => void }): ReactElement {
  const { path, onMade, onClose } = props;
  const [name, setName] = useState("");
  const [type, setType] = useState<LinearStepType>("custom_llm");
  return (
    <FormDialog
      title={t("Add a step")}
      submitLabel={t("Add")}
      failureTitle={t("The step was not added")}
      usable={name.trim() !== ""}
      onSubmit={async () => {
        await api(path, { method: "POST", body: { type, name } });
        onMade();
        onClose();
      }}
      onClose={onClose}
    >
      <TextField label={t("Name")} value={name} required autoFocus onChange={(event) => setName(event.target.value)} />
      <TextField
        select
        label={t("What it does")}
        value={type}
        onChange={(event) => setType(LinearStepTypeSchema.parse(event.target.value))}
      >
        {LINEAR_STEP_TYPES.map((one) => (
          <MenuItem key={one} value={one}>
            {STEP_TITLES[one]}
          </MenuItem>
        ))}
      </TextField>
    </FormDialog>
  );
}
