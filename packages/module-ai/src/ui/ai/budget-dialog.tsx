import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { ModelBudget } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { TwoColumns } from "@oven/ui/components/two-columns.tsx";
import { type ReactElement, useState } from "react";
import { useRefresh } from "react-admin";

const SCOPES: readonly { value: ModelBudget["scope"]; label: string }[] = [
  { value: "tenant", label: t("Everything together") },
  { value: "workflow", label: t("Each workflow") },
  { value: "agent", label: t("Each agent") },
  { value: "key", label: t("Each API key") },
  { value: "run", label: t("Each run") },
];

/** A limit on what models may cost. */
export function BudgetDialog({ onClose }: { onClose: () => void }): ReactElement {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<ModelBudget["scope"]>("tenant");
  const [time, setTime] = useState<"day" | "month">("month");
  const [dollars, setDollars] = useState("");
  const [tokens, setTokens] = useState("");
  const [action, setAction] = useState<ModelBudget["action"]>("block");
  const refresh = useRefresh();
  const limitMicros = dollars.trim() === "" ? null : Math.round(Number(dollars) * 1_000_000);
  const limitTokens = tokens.trim() === "" ? null : Number(tokens);
  const isLimit = (limit: number | null): boolean => limit === null || (Number.isSafeInteger(limit) && limit > 0);
  const usable =
    name.trim() !== "" &&
    isLimit(limitMicros) &&
    isLimit(limitTokens) &&
    (limitMicros !== null || limitTokens !== null);
  return (
    <FormDialog
      title={t("New budget")}
      submitLabel={t("Make the budget")}
      failureTitle={t("The budget was not made")}
      usable={usable}
      onClose={onClose}
      onSubmit={async () => {
        const period = scope === "run" ? "run" : time;
        await api("ai-budgets", { method: "POST", body: { name, scope, period, limitMicros, limitTokens, action } });
        refresh();
        onClose();
      }}
    >
      <TextField
        fullWidth
        autoFocus
        required
        label={t("Name")}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TwoColumns>
        <ChoiceField label={t("For")} value={scope} choices={SCOPES} onChange={setScope} />
        <TextField
          select
          label="A"
          value={scope === "run" ? "run" : time}
          disabled={scope === "run"}
          onChange={(event) => setTime(event.target.value === "day" ? "day" : "month")}
        >
          <MenuItem value="day">{t("day (UTC)")}</MenuItem>
          <MenuItem value="month">{t("month (UTC)")}</MenuItem>
          {scope === "run" ? <MenuItem value="run">{t("run")}</MenuItem> : null}
        </TextField>
        <TextField
          label={t("Dollars")}
          inputMode="decimal"
          value={dollars}
          error={!isLimit(limitMicros)}
          onChange={(event) => setDollars(event.target.value)}
          helperText={t("Empty: no limit in dollars")}
        />
        <TextField
          label={t("Tokens")}
          inputMode="numeric"
          value={tokens}
          error={!isLimit(limitTokens)}
          onChange={(event) => setTokens(event.target.value)}
          helperText={t("Empty: no limit in tokens")}
        />
      </TwoColumns>
      <TextField
        select
        label={t("What goes beyond it")}
        value={action}
        onChange={(event) => setAction(event.target.value === "pause" ? "pause" : "block")}
      >
        <MenuItem value="block">{t("is blocked: the step fails")}</MenuItem>
        <MenuItem value="pause">{t("waits for a person")}</MenuItem>
      </TextField>
    </FormDialog>
  );
}
