import LogoutRounded from "@mui/icons-material/LogoutRounded";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import type { ReactElement } from "react";
import { useGetIdentity, useLogout } from "react-admin";
import { ThemeChoice } from "../theme/theme-choice.tsx";

/** Who is signed in, the theme, and the way out. */
export function AccountPanel(): ReactElement {
  const { identity } = useGetIdentity();
  const logout = useLogout();
  return (
    <Box sx={{ p: 1.5, borderTop: 1, borderColor: "divider" }}>
      <ThemeChoice />
      <Box sx={{ display: "flex", alignItems: "center", gap: 1, mt: 1.25, pl: 0.5 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
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
        <Tooltip title="Sign out">
          <IconButton aria-label="Sign out" onClick={() => void logout()}>
            <LogoutRounded sx={{ fontSize: 19 }} />
          </IconButton>
        </Tooltip>
      </Box>
    </Box>
  );
}
