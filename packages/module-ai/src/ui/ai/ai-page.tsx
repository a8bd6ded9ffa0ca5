import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { TabBar, type TabEntry } from "@oven/ui/components/tab-bar.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ReactElement } from "react";
import { AliasTab } from "./alias-tab.tsx";
import { BudgetList } from "./budget-list.tsx";
import { GuardrailTab } from "./guardrail-tab.tsx";
import { PriceTab } from "./price-tab.tsx";
import { ProviderTab } from "./provider-tab.tsx";
import { RateLimitTab } from "./rate-limit-tab.tsx";
import { UsageTab } from "./usage-tab.tsx";

/** Models: where they come from, what they are called, what they cost, what bounds them. */
export function AiPage(): ReactElement {
  const tabs: (TabEntry | false)[] = [
    useCan("ai-usage.read") && { id: "usage", label: t("Usage"), content: () => <UsageTab /> },
    useCan("ai-budgets.read") && { id: "budgets", label: t("Budgets"), content: () => <BudgetList /> },
    useCan("ai-providers.read") && { id: "providers", label: t("Providers"), content: () => <ProviderTab /> },
    useCan("ai-aliases.read") && { id: "aliases", label: t("Aliases"), content: () => <AliasTab /> },
    useCan("ai-prices.read") && { id: "prices", label: t("Prices"), content: () => <PriceTab /> },
    useCan("ai-guardrails.read") && { id: "guardrails", label: t("Guardrails"), content: () => <GuardrailTab /> },
    useCan("ai-rate-limits.read") && { id: "limits", label: t("Rate limits"), content: () => <RateLimitTab /> },
  ];
  const shown = tabs.filter((tab) => tab !== false);
  return (
    <>
      <PageHeader
        title={t("AI")}
        line={t("Models: where they come from, what they were asked for, what that came to, and what it may.")}
      />
      {shown.length === 0 ? (
        <EmptyState
          icon={null}
          title={t("This is not yours to see")}
          text={t(
            "It needs one of the permissions ai-usage.read, ai-budgets.read, ai-providers.read, ai-aliases.read, ai-prices.read, ai-guardrails.read and ai-rate-limits.read.",
          )}
        />
      ) : (
        <Box sx={{ mx: { xs: -2, sm: 0 } }}>
          <TabBar label={t("About models")} tabs={shown} />
        </Box>
      )}
    </>
  );
}
