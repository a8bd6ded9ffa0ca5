import BoltOutlined from "@mui/icons-material/BoltOutlined";
import CheckCircleOutlineRounded from "@mui/icons-material/CheckCircleOutlineRounded";
import DifferenceOutlined from "@mui/icons-material/DifferenceOutlined";
import ErrorOutlineRounded from "@mui/icons-material/ErrorOutlineRounded";
import FactCheckOutlined from "@mui/icons-material/FactCheckOutlined";
import HourglassTopRounded from "@mui/icons-material/HourglassTopRounded";
import MoveUpRounded from "@mui/icons-material/MoveUpRounded";
import SavingsOutlined from "@mui/icons-material/SavingsOutlined";
import UndoRounded from "@mui/icons-material/UndoRounded";
import Box from "@mui/material/Box";
import type { NotificationKind } from "@oven/contract/system";
import type { ReactElement } from "react";
import { KIND_WORDS } from "./kind-words.ts";

const LOOKS = {
  "run.completed": { tone: "completed", Icon: CheckCircleOutlineRounded },
  "run.failed": { tone: "failed", Icon: ErrorOutlineRounded },
  "review.opened": { tone: "paused", Icon: FactCheckOutlined },
  "review.deadline": { tone: "paused", Icon: HourglassTopRounded },
  "review.assigned": { tone: "paused", Icon: MoveUpRounded },
  "trigger.unusable": { tone: "failed", Icon: BoltOutlined },
  "mcp-tool.changed": { tone: "paused", Icon: DifferenceOutlined },
  "a2a-agent.changed": { tone: "paused", Icon: DifferenceOutlined },
  "api-operation.changed": { tone: "paused", Icon: DifferenceOutlined },
  "canary.stopped": { tone: "failed", Icon: UndoRounded },
  "budget.exhausted": { tone: "failed", Icon: SavingsOutlined },
} as const;

/** What a notification is about, as an icon. */
export function KindIcon({ kind }: { kind: NotificationKind }): ReactElement {
  const { tone, Icon } = LOOKS[kind];
  return (
    <Box
      role="img"
      aria-label={KIND_WORDS[kind]}
      title={KIND_WORDS[kind]}
      sx={{
        display: "grid",
        placeItems: "center",
        flex: "none",
        width: 32,
        height: 32,
        borderRadius: 2,
        color: `var(--oven-status-${tone})`,
        bgcolor: `var(--oven-status-${tone}-soft)`,
      }}
    >
      <Icon sx={{ fontSize: 18 }} />
    </Box>
  );
}
