import WarningAmberRounded from "@mui/icons-material/WarningAmberRounded";
import Tooltip from "@mui/material/Tooltip";
import { type LookalikeGroups, spellOut } from "@oven/contract";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";

export interface LookalikeMarkProps {
  name: string;
  /** Names that people take for each other; undefined: they are being asked for. */
  groups: LookalikeGroups | undefined;
}

/** A warning beside a name that another one looks like, with both spelled out. It renders nothing beside other names. */
export function LookalikeMark({ name, groups = [] }: LookalikeMarkProps): ReactElement | null {
  const others = groups.find((group) => group.includes(name))?.filter((other) => other !== name) ?? [];
  if (others.length === 0) return null;
  const words = t("This is {{name}}. Another one looks the same: {{others}}", {
    name: spellOut(name),
    others: others.map(spellOut).join(", "),
  });
  return (
    <Tooltip title={words}>
      <WarningAmberRounded
        role="img"
        aria-label={words}
        titleAccess={words}
        sx={{ flex: "none", ml: 0.5, fontSize: 17, color: "warning.main", verticalAlign: "text-bottom" }}
      />
    </Tooltip>
  );
}
