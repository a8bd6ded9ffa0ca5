import AutorenewRounded from "@mui/icons-material/AutorenewRounded";
import BlockRounded from "@mui/icons-material/BlockRounded";
import CheckCircleOutlineRounded from "@mui/icons-material/CheckCircleOutlineRounded";
import ErrorOutlineRounded from "@mui/icons-material/ErrorOutlineRounded";
import PauseCircleOutlineRounded from "@mui/icons-material/PauseCircleOutlineRounded";
import ScheduleRounded from "@mui/icons-material/ScheduleRounded";
import StopCircleOutlined from "@mui/icons-material/StopCircleOutlined";
import Box from "@mui/material/Box";
import type { ExecutionStatus, NodeStatus } from "@oven/contract/run";
import type { ComponentType, ReactElement } from "react";
import type { StatusTone } from "../theme/tokens.ts";
import { toStatusLook } from "./status-look.ts";

const ICONS: Record<StatusTone, ComponentType<{ sx?: object }>> = {
  running: AutorenewRounded,
  paused: PauseCircleOutlineRounded,
  completed: CheckCircleOutlineRounded,
  failed: ErrorOutlineRounded,
  cancelled: BlockRounded,
  stopped: StopCircleOutlined,
  queued: ScheduleRounded,
};

/** Colour, icon and word of a tone, for anything that has a state. */
export function ToneChip({
  tone,
  word,
  icon: Icon = ICONS[tone],
}: {
  tone: StatusTone;
  word: string;
  /** The icon of a chip that shows no status. */
  icon?: ComponentType<{ sx?: object }>;
}): ReactElement {
  return (
    <Box
      component="span"
      sx={{
        display: "inline-flex",
        alignItems: "center",
        gap: 0.5,
        px: 0.875,
        height: 24,
        borderRadius: 1.5,
        fontSize: 12.5,
        fontWeight: 600,
        whiteSpace: "nowrap",
        color: `var(--oven-status-${tone})`,
        bgcolor: `var(--oven-status-${tone}-soft)`,
        border: tone === "queued" ? "1px solid var(--oven-border-strong)" : "1px solid transparent",
      }}
    >
      <Icon
        sx={{
          fontSize: 15,
          ...(tone === "running" && {
            animation: "oven-turn 1.6s linear infinite",
            "@keyframes oven-turn": { to: { transform: "rotate(360deg)" } },
          }),
        }}
      />
      {word}
    </Box>
  );
}

export interface StatusChipProps {
  status: ExecutionStatus | NodeStatus;
  outcome?: string | null;
}

/** The one way a status is shown. */
export function StatusChip({ status, outcome = null }: StatusChipProps): ReactElement {
  return <ToneChip {...toStatusLook(status, outcome)} />;
}
