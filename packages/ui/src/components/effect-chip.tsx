import BoltOutlined from "@mui/icons-material/BoltOutlined";
import EditOutlined from "@mui/icons-material/EditOutlined";
import VisibilityOutlined from "@mui/icons-material/VisibilityOutlined";
import type { Effect } from "@oven/contract/node";
import type { ComponentType, ReactElement } from "react";
import { EFFECT_LOOK } from "./effect-words.ts";
import { ToneChip } from "./status-chip.tsx";

const ICONS: Readonly<Record<Effect, ComponentType<{ sx?: object }>>> = {
  pure: VisibilityOutlined,
  idempotent: EditOutlined,
  "at-least-once": BoltOutlined,
  "at-most-once": BoltOutlined,
};

/** What a call does to the world. */
export function EffectChip({ effect }: { effect: Effect }): ReactElement {
  const { tone, word } = EFFECT_LOOK[effect];
  return <ToneChip tone={tone} word={word} icon={ICONS[effect]} />;
}
