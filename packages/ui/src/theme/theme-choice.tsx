import DarkModeOutlined from "@mui/icons-material/DarkModeOutlined";
import DesktopWindowsOutlined from "@mui/icons-material/DesktopWindowsOutlined";
import LightModeOutlined from "@mui/icons-material/LightModeOutlined";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Tooltip from "@mui/material/Tooltip";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { useStore } from "react-admin";

const CHOICES = [
  { value: "system", title: t("Follow the system"), icon: <DesktopWindowsOutlined fontSize="inherit" /> },
  { value: "light", title: t("Light"), icon: <LightModeOutlined fontSize="inherit" /> },
  { value: "dark", title: t("Dark"), icon: <DarkModeOutlined fontSize="inherit" /> },
] as const;

/** React Admin keeps the theme under `theme`; without a value it follows the system. */
export function ThemeChoice(): ReactElement {
  const [theme, setTheme] = useStore<string | undefined>("theme");
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={t("Theme")}
      value={theme ?? "system"}
      onChange={(_, value: string | null) => {
        if (value === null) return;
        setTheme(value === "system" ? undefined : value);
        if (value === "system") delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = value;
      }}
    >
      {CHOICES.map((choice) => (
        <ToggleButton
          key={choice.value}
          value={choice.value}
          aria-label={choice.title}
          sx={{ px: 1, py: 0.5, fontSize: 16 }}
        >
          <Tooltip title={choice.title}>{choice.icon}</Tooltip>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
