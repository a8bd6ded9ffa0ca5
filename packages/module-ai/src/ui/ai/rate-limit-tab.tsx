import SpeedOutlined from "@mui/icons-material/SpeedOutlined";
import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import type { ModelRateLimit } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { RowPart } from "@oven/ui/components/row-item.tsx";
import { type ReactElement, useState } from "react";
import { RowsPanel } from "./rows-panel.tsx";

const NUMBER = new Intl.NumberFormat("en-US");

function toWords({ requestsPerMinute, tokensPerMinute }: ModelRateLimit): string {
  const parts = [
    ...(requestsPerMinute === null ? [] : [`${NUMBER.format(requestsPerMinute)} requests`]),
    ...(tokensPerMinute === null ? [] : [`${NUMBER.format(tokensPerMinute)} tokens`]),
  ];
  return parts.length === 0 ? t("no limit") : `${parts.join(" and ")} a minute`;
}

/** What may be sent to a provider within any minute, over all processes. */
export function RateLimitTab(): ReactElement {
  return (
    <RowsPanel<ModelRateLimit>
      resource="ai-rate-limits"
      noun={t("rate limits")}
      addLabel={t("New rate limit")}
      empty={{
        icon: <SpeedOutlined />,
        title: t("Nothing limits how fast models are asked"),
        text: t(
          "A limit keeps calls below what a provider takes in a minute: they wait their turn instead of being refused.",
        ),
      }}
      nameOf={({ providerId }) => `the rate limit of ${providerId}`}
      deleteText={t("Calls go out as fast as they come from then on.")}
      isOwn={({ tenantId }) => tenantId !== null}
      show={(limit) => (
        <>
          <RowPart basis={160} grow={1}>
            <Box sx={{ fontWeight: 600 }}>{limit.providerId}</Box>
          </RowPart>
          <RowPart basis={240} grow={2}>
            {toWords(limit)}
          </RowPart>
        </>
      )}
      dialog={(limit, onClose) => <RateLimitDialog limit={limit} onClose={onClose} />}
    />
  );
}

function RateLimitDialog({
  limit,
  onClose,
}: {
  limit: ModelRateLimit | null;
  onClose: (saved: boolean) => void;
}): ReactElement {
  const [providerId, setProviderId] = useState(limit?.providerId ?? "");
  const [requests, setRequests] = useState(limit?.requestsPerMinute?.toString() ?? "");
  const [tokens, setTokens] = useState(limit?.tokensPerMinute?.toString() ?? "");
  const toCount = (text: string): number | null => (text.trim() === "" ? null : Number(text));
  const isCount = (text: string): boolean =>
    text.trim() === "" || (Number.isInteger(Number(text)) && Number(text) > 0 && Number(text) <= 1_000_000_000);
  const fields = [
    { label: t("Requests a minute"), value: requests, set: setRequests },
    { label: t("Tokens a minute"), value: tokens, set: setTokens },
  ];
  return (
    <FormDialog
      title={limit === null ? t("New rate limit") : t("Rate limit of {{providerId}}", { providerId: limit.providerId })}
      submitLabel={limit === null ? t("Make it") : t("Save")}
      failureTitle={t("The rate limit was not saved")}
      usable={
        /^[a-z0-9][a-z0-9-]{0,63}$/.test(providerId) &&
        isCount(requests) &&
        isCount(tokens) &&
        (requests.trim() !== "" || tokens.trim() !== "")
      }
      onClose={() => onClose(false)}
      onSubmit={async () => {
        const body = { providerId, requestsPerMinute: toCount(requests), tokensPerMinute: toCount(tokens) };
        if (limit === null) await api("ai-rate-limits", { method: "POST", body });
        else await api(`ai-rate-limits/${limit.id}`, { method: "PUT", body });
        onClose(true);
      }}
    >
      <TextField
        required
        autoFocus={limit === null}
        label={t("Provider")}
        placeholder="openai"
        helperText={t("Its id: the first part of providerId:modelId")}
        value={providerId}
        disabled={limit !== null}
        onChange={(event) => setProviderId(event.target.value)}
      />
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "repeat(2, minmax(0, 1fr))" }}>
        {fields.map(({ label, value, set }) => (
          <TextField
            key={label}
            label={label}
            placeholder={t("no limit")}
            value={value}
            error={!isCount(value)}
            helperText={isCount(value) ? undefined : t("A whole number above 0")}
            onChange={(event) => set(event.target.value)}
            slotProps={{ htmlInput: { inputMode: "numeric" }, inputLabel: { shrink: true } }}
          />
        ))}
      </Box>
    </FormDialog>
  );
}
