import SavingsOutlined from "@mui/icons-material/SavingsOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { BudgetSpend, ModelBudget } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import { currentLocale, t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatMoney, formatTokens } from "@oven/ui/components/format.ts";
import { Panel } from "@oven/ui/components/panel.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { useGetList, useRefresh } from "react-admin";
import { BudgetDialog } from "./budget-dialog.tsx";
import { toShare, toTerms } from "./budget-words.ts";

const ALL = { pagination: { page: 1, perPage: 200 }, sort: { field: "id", order: "ASC" as const } };

/** What may be spent on models, and how much of it has been. */
export function BudgetList(): ReactElement {
  const { data, error, refetch } = useGetList<ModelBudget>("ai-budgets", ALL);
  const add = useCreateButton(t("New budget"), useCan("ai-budgets.create"), (close) => (
    <BudgetDialog onClose={() => close(false)} />
  ));
  if (error)
    return <ErrorPanel error={error} title={t("The budgets could not be loaded")} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton variant="rounded" height={180} />;
  return (
    <Box sx={{ display: "grid", gap: 2, justifyItems: "start", "& > section": { width: "100%" } }}>
      {data.length === 0 ? (
        <Panel>
          <EmptyState
            icon={<SavingsOutlined />}
            title={t("Nothing limits what models cost")}
            text={t(
              "A budget blocks or pauses what would go beyond an amount: of a run, a workflow, an agent, a key, or all together, a day or a month.",
            )}
            action={add.button}
          />
        </Panel>
      ) : (
        <>
          {add.button}
          {data.map((budget) => (
            <BudgetPanel key={budget.id} budget={budget} />
          ))}
        </>
      )}
      {add.dialog}
    </Box>
  );
}

function BudgetPanel({ budget }: { budget: ModelBudget }): ReactElement {
  const { data: spends, error } = useAnswer<BudgetSpend[]>(`ai-budgets/${budget.id}/spend`);
  const may = { update: useCan("ai-budgets.update"), delete: useCan("ai-budgets.delete") };
  const [deleting, setDeleting] = useState(false);
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async () => {
    await api(`ai-budgets/${budget.id}`, { method: "PUT", body: { enabled: !budget.enabled } });
    refresh();
  });
  return (
    <Panel
      title={budget.name}
      aside={
        budget.enabled ? <ToneChip tone="completed" word={t("on")} /> : <ToneChip tone="cancelled" word={t("off")} />
      }
    >
      <Box sx={{ fontSize: 13.5, color: "text.secondary" }}>{toTerms(budget)}</Box>
      {error ? <ErrorPanel error={error} title={t("What was spent could not be read")} /> : null}
      {failure === null ? null : <ErrorPanel error={failure} title={t("The budget was not changed")} />}
      <Box
        component="ul"
        aria-label={t("Spent of {{name}}", { name: budget.name })}
        sx={{ m: 0, mt: 1.5, p: 0, listStyle: "none", display: "grid", gap: 1.25 }}
      >
        {(spends ?? []).slice(0, 5).map((spend) => (
          <Spent key={`${spend.subject} ${spend.period}`} budget={budget} spend={spend} />
        ))}
      </Box>
      {spends?.length === 0 ? <Box sx={{ fontSize: 13 }}>{t("Nothing has been spent of it.")}</Box> : null}
      <Box sx={{ display: "flex", gap: 1, mt: 1.5 }}>
        {may.update ? (
          <Button size="small" variant="outlined" loading={busy} onClick={() => void run()}>
            {budget.enabled ? t("Switch off") : t("Switch on")}
          </Button>
        ) : null}
        {may.delete ? (
          <Button size="small" onClick={() => setDeleting(true)}>
            {t("Delete")}
          </Button>
        ) : null}
      </Box>
      <ConfirmDialog
        open={deleting}
        title={t("Delete the budget “{{name}}”?", { name: budget.name })}
        text={t("Models are asked without this limit from then on.")}
        confirmLabel={t("Delete")}
        onConfirm={async () => {
          await api(`ai-budgets/${budget.id}`, { method: "DELETE" });
          refresh();
        }}
        onClose={() => setDeleting(false)}
      />
    </Panel>
  );
}

function Spent({ budget, spend }: { budget: ModelBudget; spend: BudgetSpend }): ReactElement {
  const share = toShare(budget, spend);
  const tokens = formatTokens({ total: spend.spentTokens } as TokenUsage); // cast: only the total is shown
  const parts = [
    ...(budget.limitMicros === null
      ? []
      : [
          t("{{money}} of {{money2}}", {
            money: formatMoney(spend.spentMicros),
            money2: formatMoney(budget.limitMicros),
          }),
        ]),
    ...(budget.limitTokens === null
      ? []
      : [
          t("{{tokens}} of {{limit}}", {
            tokens,
            limit: budget.limitTokens.toLocaleString(currentLocale()),
          }),
        ]),
  ];
  return (
    <Box component="li">
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1.5, fontSize: 13.5 }}>
        <Box sx={{ flex: "1 1 140px", overflowWrap: "anywhere" }}>
          {spend.subject}
          {spend.period === "run" ? "" : `, ${spend.period}`}
        </Box>
        <Box sx={{ color: share >= 1 ? "error.main" : "text.secondary", fontVariantNumeric: "tabular-nums" }}>
          {[...parts, ...(share >= 1 ? [t("used up")] : [])].join(" · ")}
        </Box>
      </Box>
      <Box aria-hidden sx={{ mt: 0.5, height: 6, borderRadius: 3, bgcolor: "var(--oven-sunken)" }}>
        <Box
          sx={{
            width: `${Math.min(1, share) * 100}%`,
            height: 6,
            borderRadius: 3,
            bgcolor: share >= 1 ? "var(--oven-status-failed)" : "primary.main",
          }}
        />
      </Box>
    </Box>
  );
}
