import Box from "@mui/material/Box";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { type ReactElement, type ReactNode, useId } from "react";
import { useSearchParams } from "react-router-dom";

export interface TabEntry {
  id: string;
  label: ReactNode;
  content: () => ReactNode;
}

/** Tabs with their panel; only the shown one is rendered. Which one stands in the address as `tab`, so that it can be linked to. */
export function TabBar({ tabs, label }: { tabs: TabEntry[]; label: string }): ReactElement {
  const base = useId();
  const [search, setSearch] = useSearchParams();
  const current = tabs.find((tab) => tab.id === search.get("tab")) ?? tabs[0];
  const choose = (id: string): void => {
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (id === tabs[0]?.id) next.delete("tab");
        else next.set("tab", id);
        return next;
      },
      { replace: true },
    );
  };
  return (
    <Box>
      <Tabs
        value={current?.id ?? false}
        onChange={(_, id: string) => choose(id)}
        variant="scrollable"
        scrollButtons={false}
        aria-label={label}
        sx={{ borderBottom: 1, borderColor: "divider", px: 1 }}
      >
        {tabs.map((tab) => (
          <Tab key={tab.id} value={tab.id} label={tab.label} id={`${base}-${tab.id}`} aria-controls={`${base}-panel`} />
        ))}
      </Tabs>
      <Box role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${current?.id}`} sx={{ p: 2 }}>
        {current?.content()}
      </Box>
    </Box>
  );
}
