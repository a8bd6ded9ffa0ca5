import Box from "@mui/material/Box";
import type { ReactElement } from "react";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TabBar } from "../../components/tab-bar.tsx";
import { useCan } from "../../components/use-can.ts";
import { BudgetList } from "./budget-list.tsx";
import { UsageTab } from "./usage-tab.tsx";

/** What models are used for, and what they may cost. */
export function AiPage(): ReactElement {
  const may = { usage: useCan("ai-usage.read"), budgets: useCan("ai-budgets.read") };
  const tabs = [
    ...(may.usage ? [{ id: "usage", label: "Usage", content: () => <UsageTab /> }] : []),
    ...(may.budgets ? [{ id: "budgets", label: "Budgets", content: () => <BudgetList /> }] : []),
  ];
  return (
    <>
      <PageHeader title="AI" line="What models were asked for, what that came to, and what it may." />
      {tabs.length === 0 ? (
        <EmptyState
          icon={null}
          title="This is not yours to see"
          text="It needs the permission ai-usage.read or ai-budgets.read."
        />
      ) : (
        <Box sx={{ mx: { xs: -2, sm: 0 } }}>
          <TabBar label="About models" tabs={tabs} />
        </Box>
      )}
    </>
  );
}
