import LogoutRounded from "@mui/icons-material/LogoutRounded";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { t } from "@oven/i18n";
import { ThemeChoice } from "@oven/ui/theme/theme-choice.tsx";
import { useUiModules } from "@oven/ui/ui-module.ts";
import type { ReactElement } from "react";
import { useGetIdentity, useLogout } from "react-admin";
import { Link } from "react-router-dom";
import { LanguageChoice } from "../i18n/language-choice.tsx";

/** Who is signed in, their account, the theme, and the way out. `onNavigate` closes the menu where it is a drawer. */
export function AccountPanel({ onNavigate }: { onNavigate: () => void }): ReactElement {
  const { identity } = useGetIdentity();
  const logout = useLogout();
  const modules = useUiModules();
  return (
    <Box sx={{ p: 1.5, borderTop: 1, borderColor: "divider" }}>
      <Box sx={{ display: "flex", alignItems: "center", justifyContent: "space-between", gap: 1 }}>
        <ThemeChoice />
        <LanguageChoice />
      </Box>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1, mt: 1.25, pl: 0.5 }}>
        <Box
          component={Link}
          to="/account"
          onClick={onNavigate}
          title={t("Your account")}
          sx={{
            flex: 1,
            minWidth: 0,
            color: "text.primary",
            textDecoration: "none",
            borderRadius: 1,
            "&:hover": { textDecoration: "underline" },
          }}
        >
          <Box
            sx={{ fontSize: 13, fontWeight: 600, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}
          >
            {identity?.fullName}
          </Box>
          <Box
            sx={{
              fontSize: 12,
              color: "text.secondary",
              overflow: "hidden",
              textOverflow: "ellipsis",
              whiteSpace: "nowrap",
            }}
          >
            {identity?.email}
          </Box>
        </Box>
        <Tooltip title={t("Sign out")}>
          <IconButton
            aria-label={t("Sign out")}
            onClick={() => {
              void Promise.allSettled(modules.map((module) => module.beforeSignOut?.())).then(() => logout());
            }}
          >
            <LogoutRounded sx={{ fontSize: 19 }} />
          </IconButton>
        </Tooltip>
      </Box>
    </Box>
  );
}
