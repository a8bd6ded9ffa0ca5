import ExpandLessRounded from "@mui/icons-material/ExpandLessRounded";
import ExpandMoreRounded from "@mui/icons-material/ExpandMoreRounded";
import Box from "@mui/material/Box";
import type { Problem } from "@oven/contract";
import type { ReactElement } from "react";
import { ErrorPanel } from "../components/error-panel.tsx";
import { ProblemList } from "../resources/workflows/problem-list.tsx";
import type { ServerCheck } from "../resources/workflows/use-server-check.ts";

export interface EditorDrawerProps {
  check: ServerCheck;
  onJump: (problem: Problem) => void;
  open: boolean;
  setOpen: (open: boolean) => void;
}

/** Below the canvas: what is wrong. A click shows the state. */
export function EditorDrawer({ check, onJump, open, setOpen }: EditorDrawerProps): ReactElement {
  const count = check.problems.length;
  const Icon = open ? ExpandMoreRounded : ExpandLessRounded;
  return (
    <Box
      component="section"
      aria-label="Problems"
      sx={{ borderTop: 1, borderColor: "divider", bgcolor: "background.paper" }}
    >
      <Box
        component="button"
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        sx={{
          display: "flex",
          alignItems: "center",
          gap: 1,
          width: "100%",
          px: 1.75,
          py: 0.75,
          border: 0,
          font: "inherit",
          fontSize: 13,
          fontWeight: 600,
          color: "inherit",
          bgcolor: "transparent",
          cursor: "pointer",
          "&:focus-visible": { outlineOffset: "-2px" },
        }}
      >
        <Icon sx={{ fontSize: 18 }} />
        Problems ({count})
      </Box>
      {open ? (
        <Box sx={{ maxHeight: 240, overflow: "auto", borderTop: 1, borderColor: "divider" }}>
          {check.failure !== null ? (
            <Box sx={{ p: 1.75 }}>
              <ErrorPanel error={check.failure} title="The workflow could not be checked" />
            </Box>
          ) : count === 0 ? (
            <Box sx={{ px: 1.75, py: 1.5, fontSize: 13, color: "text.secondary" }}>
              {check.state === "checking" ? "The server is looking at it." : "Nothing to complain about."}
            </Box>
          ) : (
            <ProblemList problems={check.problems} onJump={onJump} />
          )}
        </Box>
      ) : null}
    </Box>
  );
}
