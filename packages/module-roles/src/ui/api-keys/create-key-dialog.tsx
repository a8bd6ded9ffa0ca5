import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import TextField from "@mui/material/TextField";
import type { CreatedApiKey } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { PermissionChecklist } from "../roles/permission-checklist.tsx";
import { PRESETS, parsePermissions } from "./permission-presets.ts";

const OWN = "own";
const DAYS = [
  { label: t("30 days"), value: 30 },
  { label: t("90 days"), value: 90 },
  { label: t("1 year"), value: 365 },
  { label: t("Never"), value: 0 },
];

/** Makes a key and shows it, this once. */
export function CreateKeyDialog({ onClose }: { onClose: (created: boolean) => void }): ReactElement {
  const [name, setName] = useState("");
  const [preset, setPreset] = useState(PRESETS[0]?.id ?? OWN);
  const [own, setOwn] = useState("");
  const [workflows, setWorkflows] = useState("");
  const [agents, setAgents] = useState("");
  const [days, setDays] = useState(90);
  const maySeePermissions = useCan("roles.read");
  const [made, setMade] = useState<CreatedApiKey | null>(null);
  const make = async (): Promise<void> => {
    const permissions = PRESETS.find((entry) => entry.id === preset)?.permissions ?? parsePermissions(own);
    const bound = parsePermissions(workflows);
    const boundAgents = parsePermissions(agents);
    const reply = await api("api-keys", {
      method: "POST",
      body: {
        name,
        permissions,
        workflows: bound.length === 0 ? null : bound,
        agents: boundAgents.length === 0 ? null : boundAgents,
        expiresInDays: days === 0 ? null : days,
      },
    });
    // cast: 201 carries the key
    setMade(reply.json as CreatedApiKey);
  };
  if (made !== null) {
    return (
      <Dialog open maxWidth="sm" fullWidth aria-labelledby="key-title">
        <DialogTitle id="key-title" sx={{ fontSize: 16 }}>
          {t("Your new key “{{name}}”", { name: made.name })}
        </DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          <CodeBlock text={made.key} what={t("the API key")} />
          <Alert severity="warning">{t("Copy it now. It is stored as a hash and cannot be shown again.")}</Alert>
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button variant="contained" onClick={() => onClose(true)}>
            {t("I have copied it")}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t("New API key")}
      submitLabel={t("Make the key")}
      failureTitle={t("The key was not made")}
      maxWidth={preset === OWN ? "md" : "sm"}
      usable
      onSubmit={make}
      onClose={() => onClose(false)}
    >
      <TextField
        fullWidth
        autoFocus
        required
        label={t("Name")}
        placeholder={t("What uses it")}
        value={name}
        onChange={(event) => setName(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 32 } }}
      />
      <RadioGroup
        aria-label={t("What the key may do")}
        value={preset}
        onChange={(_, value) => setPreset(value)}
        sx={{ gap: 0.75 }}
      >
        {PRESETS.map((entry) => (
          <FormControlLabel
            key={entry.id}
            value={entry.id}
            control={<Radio size="small" />}
            label={
              <>
                <Box component="span" sx={{ fontWeight: 600 }}>
                  {entry.title}
                </Box>
                <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{entry.text}</Box>
              </>
            }
          />
        ))}
        <FormControlLabel
          value={OWN}
          control={<Radio size="small" />}
          label={
            <Box component="span" sx={{ fontWeight: 600 }}>
              {t("Permissions of your choice")}
            </Box>
          }
        />
      </RadioGroup>
      {preset === OWN && maySeePermissions ? (
        <PermissionChecklist
          chosen={parsePermissions(own)}
          onChange={(permissions) => setOwn(permissions.join(", "))}
        />
      ) : null}
      {preset === OWN ? (
        <TextField
          fullWidth
          required
          label={t("Permissions")}
          placeholder="agent-workflows.execute, reviews.*"
          helperText="resource.action, resource.* or *, separated by commas"
          value={own}
          onChange={(event) => setOwn(event.target.value)}
        />
      ) : null}
      <TextField
        fullWidth
        label={t("Only these workflows")}
        placeholder="agent-workflow:7, workflow:12"
        helperText={t("Empty: every workflow its permissions cover")}
        value={workflows}
        onChange={(event) => setWorkflows(event.target.value)}
      />
      <TextField
        fullWidth
        label={t("Only these agents")}
        placeholder="shop-assistant, 12"
        helperText={t("With either list, what the other leaves out is closed")}
        value={agents}
        onChange={(event) => setAgents(event.target.value)}
      />
      <TextField
        select
        label={t("Stops working after")}
        value={days}
        onChange={(event) => setDays(Number(event.target.value))}
        sx={{ maxWidth: 240 }}
      >
        {DAYS.map((entry) => (
          <MenuItem key={entry.value} value={entry.value}>
            {entry.label}
          </MenuItem>
        ))}
      </TextField>
    </FormDialog>
  );
}
