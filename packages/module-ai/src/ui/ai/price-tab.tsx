import PaidOutlined from "@mui/icons-material/PaidOutlined";
import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import { LIST_PRICES_AS_OF, type ModelPrice } from "@oven/contract/ai";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { TwoColumns } from "@oven/ui/components/two-columns.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { toDollars, toMicros, toPriceWords } from "./price-words.ts";
import { RowsPanel } from "./rows-panel.tsx";

const AMOUNTS = [
  { key: "inputMicros", label: t("Input, a million tokens") },
  { key: "cachedInputMicros", label: t("Cached input, a million tokens") },
  { key: "outputMicros", label: t("Output, a million tokens") },
  { key: "imageMicros", label: t("An image") },
  { key: "videoSecondMicros", label: t("A second of video") },
] as const;

/** What models cost: the vendors' list prices, and one's own. */
export function PriceTab(): ReactElement {
  return (
    <RowsPanel<ModelPrice>
      resource="ai-prices"
      noun={t("prices")}
      addLabel={t("New price")}
      overrideLabel={t("Set another")}
      empty={{
        icon: <PaidOutlined />,
        title: t("No model has a price"),
        text: t("Without one a call is shown as costing nothing, and budgets in dollars cannot hold it back."),
      }}
      nameOf={({ providerId, modelId }) => `the price of ${providerId}:${modelId}`}
      deleteText={t("The list price counts from then on, or none where there is none.")}
      isOwn={({ tenantId }) => tenantId !== null}
      textOf={({ providerId, modelId }) => `${providerId}:${modelId}`}
      show={(price) => (
        <>
          <RowPart basis={220} grow={1}>
            <Box sx={{ fontFamily: MONOSPACE, fontSize: 13 }}>
              {price.providerId}:{price.modelId}
            </Box>
          </RowPart>
          <RowPart basis={280} grow={1}>
            {toPriceWords(price)}
          </RowPart>
          <RowPart basis={130} quiet>
            {price.tenantId === null
              ? t("as of {{LIST_PRICES_AS_OF}}", { LIST_PRICES_AS_OF })
              : tx("set {{time}}", { time: <RelativeTime at={price.updatedAt} /> })}
          </RowPart>
          {price.tenantId === null ? (
            <ToneChip tone="queued" word={t("list price")} />
          ) : (
            <ToneChip tone="completed" word={t("your own")} />
          )}
        </>
      )}
      dialog={(price, onClose) => <PriceDialog price={price} onClose={onClose} />}
    />
  );
}

/** One's own price of a model; of a list price it makes one that comes first. */
function PriceDialog({
  price,
  onClose,
}: {
  price: ModelPrice | null;
  onClose: (saved: boolean) => void;
}): ReactElement {
  const own = price !== null && price.tenantId !== null;
  const [providerId, setProviderId] = useState(price?.providerId ?? "");
  const [modelId, setModelId] = useState(price?.modelId ?? "");
  const [amounts, setAmounts] = useState<Record<string, string>>(
    Object.fromEntries(
      AMOUNTS.map(({ key }) => [key, price === null || price[key] === 0 ? "" : toDollars(price[key]).slice(1)]),
    ),
  );
  const [longest, setLongest] = useState(price?.maxOutputTokens?.toString() ?? "");
  const [context, setContext] = useState(price?.contextTokens?.toString() ?? "");
  const micros = AMOUNTS.map(({ key }) => [key, toMicros(amounts[key] ?? "")] as const);
  const isCount = (text: string): boolean => text.trim() === "" || (Number.isInteger(Number(text)) && Number(text) > 0);
  return (
    <FormDialog
      title={
        price === null
          ? t("New price")
          : t("Price of {{providerId}}:{{modelId}}", { providerId: price.providerId, modelId: price.modelId })
      }
      submitLabel={own ? t("Save") : t("Set it")}
      failureTitle={t("The price was not saved")}
      usable={
        /^[a-z0-9][a-z0-9-]{0,63}$/.test(providerId) &&
        modelId.trim() !== "" &&
        micros.every(([, amount]) => amount !== null) &&
        isCount(longest) &&
        isCount(context)
      }
      onClose={() => onClose(false)}
      onSubmit={async () => {
        const given = Object.fromEntries(micros);
        // Cached input without a price of its own costs what input costs.
        if ((amounts.cachedInputMicros ?? "").trim() === "") given.cachedInputMicros = given.inputMicros ?? 0;
        const body = {
          ...given,
          providerId,
          modelId: modelId.trim(),
          maxOutputTokens: longest.trim() === "" ? null : Number(longest),
          contextTokens: context.trim() === "" ? null : Number(context),
        };
        if (own) await api(`ai-prices/${price.id}`, { method: "PUT", body });
        else await api("ai-prices", { method: "POST", body });
        onClose(true);
      }}
    >
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "1fr 2fr" } }}>
        <TextField
          required
          label={t("Provider")}
          placeholder="openai"
          value={providerId}
          disabled={price !== null}
          onChange={(event) => setProviderId(event.target.value)}
        />
        <TextField
          required
          label={t("Model")}
          placeholder="gpt-4.1-mini"
          helperText={t("* is every other model of the provider")}
          value={modelId}
          disabled={price !== null}
          onChange={(event) => setModelId(event.target.value)}
        />
      </Box>
      <TwoColumns>
        {AMOUNTS.map(({ key, label }, index) => (
          <TextField
            key={key}
            label={`${label}, $`}
            placeholder={key === "cachedInputMicros" ? t("as input") : "0"}
            value={amounts[key] ?? ""}
            error={micros[index]?.[1] === null}
            helperText={micros[index]?.[1] === null ? t("An amount in dollars, such as 2.50") : undefined}
            onChange={(event) => setAmounts((all) => ({ ...all, [key]: event.target.value }))}
            slotProps={{ htmlInput: { inputMode: "decimal" }, inputLabel: { shrink: true } }}
          />
        ))}
        <TextField
          label={t("Longest answer, tokens")}
          placeholder={t("not known")}
          helperText={t("Budgets hold back that much")}
          value={longest}
          error={!isCount(longest)}
          onChange={(event) => setLongest(event.target.value)}
          slotProps={{ htmlInput: { inputMode: "numeric" }, inputLabel: { shrink: true } }}
        />
        <TextField
          label={t("Context, tokens")}
          placeholder={t("not known")}
          helperText={t("Worst cases count that many as read")}
          value={context}
          error={!isCount(context)}
          onChange={(event) => setContext(event.target.value)}
          slotProps={{ htmlInput: { inputMode: "numeric" }, inputLabel: { shrink: true } }}
        />
      </TwoColumns>
    </FormDialog>
  );
}
