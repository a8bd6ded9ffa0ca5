import Tooltip from "@mui/material/Tooltip";
import type { ReactElement } from "react";
import { formatExact, formatRelative } from "./format.ts";
import { useNow } from "./use-now.ts";

/**
 * How long ago something was, with its exact time as a tip.
 * @param at ISO 8601; null reads as a dash
 */
export function RelativeTime({ at }: { at: string | null }): ReactElement {
  const now = useNow(15_000);
  if (at === null) return <span>–</span>;
  return (
    <Tooltip title={formatExact(at)}>
      <time dateTime={at} style={{ whiteSpace: "nowrap" }}>
        {formatRelative(at, Math.max(now, Date.now() - 15_000))}
      </time>
    </Tooltip>
  );
}
