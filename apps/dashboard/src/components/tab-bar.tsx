import Box from "@mui/material/Box";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { type ReactElement, type ReactNode, useId, useState } from "react";

export interface TabEntry {
  id: string;
  label: ReactNode;
  content: () => ReactNode;
}

/** Tabs with their panel; only the shown one is rendered. */
export function TabBar({ tabs, label }: { tabs: TabEntry[]; label: string }): ReactElement {
  const base = useId();
  const [chosen, setChosen] = useState(tabs[0]?.id);
  const current = tabs.find((tab) => tab.id === chosen) ?? tabs[0];
  return (
    <Box>
      <Tabs
        value={current?.id ?? false}
        onChange={(_, id: string) => setChosen(id)}
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
