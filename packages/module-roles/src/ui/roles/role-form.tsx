import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { asApiError } from "@oven/ui/api/api-error.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type FormEvent, type ReactElement, type ReactNode, useState } from "react";
import { PermissionChecklist } from "./permission-checklist.tsx";

export interface RoleDraft {
  name: string;
  title: string;
  description: string;
  permissions: string[];
}

/** A role's words and its checklist. */
export function RoleForm({
  start,
  isNew,
  readOnly = false,
  save,
  actions,
}: {
  start: RoleDraft;
  isNew: boolean;
  readOnly?: boolean;
  save: (draft: RoleDraft) => Promise<void>;
  actions?: ReactNode;
}): ReactElement {
  const [draft, setDraft] = useState(start);
  const { busy, failure, run } = useAction(() => save(draft));
  const fields: Record<string, string> = failure === null ? {} : asApiError(failure).body.errors;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <Box component="form" onSubmit={onSubmit} sx={{ display: "grid", gap: 2 }}>
      <Panel>
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
          <TextField
            label={t("Title")}
            required
            disabled={readOnly}
            value={draft.title}
            onChange={(event) => setDraft({ ...draft, title: event.target.value })}
          />
          <TextField
            label={t("Name")}
            required
            disabled={!isNew}
            value={draft.name}
            onChange={(event) => setDraft({ ...draft, name: event.target.value })}
            error={fields.name !== undefined}
            helperText={fields.name ?? t("a-z, 0-9 and hyphens; it stays")}
          />
          <TextField
            label={t("Description")}
            disabled={readOnly}
            sx={{ gridColumn: { sm: "1 / -1" } }}
            value={draft.description}
            onChange={(event) => setDraft({ ...draft, description: event.target.value })}
          />
        </Box>
      </Panel>
      <Panel title={t("Permissions")}>
        <PermissionChecklist
          chosen={draft.permissions}
          {...(readOnly ? {} : { onChange: (permissions: string[]) => setDraft({ ...draft, permissions }) })}
        />
      </Panel>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The role was not saved")} />}
      {readOnly ? null : (
        <Box sx={{ display: "flex", gap: 1 }}>
          <Button type="submit" variant="contained" loading={busy}>
            {t("Save")}
          </Button>
          {actions}
        </Box>
      )}
    </Box>
  );
}
