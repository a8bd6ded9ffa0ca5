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

interface TabBarProps {
  tabs: TabEntry[];
  label: string;
}

/** Tabs with their panel; only the shown one is rendered. */
export function TabBar(props: TabBarProps): ReactElement {
  const [chosen, setChosen] = useState<string | null>(null);
  return <ShownTab {...props} chosen={chosen} onChoose={setChosen} />;
}

/** As `TabBar`, and the address says which tab is shown, so that a link opens it. The rest of the address is the tab's own. */
export function LinkedTabBar(props: TabBarProps): ReactElement {
  const [parameters, setParameters] = useSearchParams();
  return <ShownTab {...props} chosen={parameters.get("tab")} onChoose={(tab) => setParameters({ tab })} />;
}

interface ShownTabProps extends TabBarProps {
  chosen: string | null;
  onChoose: (id: string) => void;
}

function ShownTab({ tabs, label, chosen, onChoose }: ShownTabProps): ReactElement {
  const base = useId();
  const current = tabs.find((tab) => tab.id === chosen) ?? tabs[0];
  return (
    <Box>
      <Tabs
        value={current?.id ?? false}
        onChange={(_, id: string) => onChoose(id)}
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
