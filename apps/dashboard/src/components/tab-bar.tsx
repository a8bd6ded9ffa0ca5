import Box from "@mui/material/Box";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { type ReactElement, type ReactNode, useId, useState } from "react";
import { useSearchParams } from "react-router-dom";

export interface TabEntry {
  id: string;
  label: ReactNode;
  content: () => ReactNode;
}

/** Tabs with their panel; only the shown one is rendered. */
export function TabBar({
  tabs,
  label,
  param,
}: {
  tabs: TabEntry[];
  label: string;
  /** Where the address names the chosen one; absent: nowhere. */
  param?: string;
}): ReactElement {
  const base = useId();
  const [params, setParams] = useSearchParams();
  const [kept, setKept] = useState(tabs[0]?.id);
  const chosen = param === undefined ? kept : (params.get(param) ?? tabs[0]?.id);
  const setChosen = (id: string): void => {
    if (param === undefined) setKept(id);
    else setParams({ [param]: id });
  };
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
