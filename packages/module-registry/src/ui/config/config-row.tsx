import ExpandMoreRounded from "@mui/icons-material/ExpandMoreRounded";
import LayersOutlined from "@mui/icons-material/LayersOutlined";
import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import type { ConfigCascade } from "@oven/contract/system";
import { t } from "@oven/i18n";
import { RowItem, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useId, useState } from "react";
import { ConfigLevels } from "./config-levels.tsx";
import { showValue, toSourceLook } from "./config-words.ts";
import { instancesOf } from "./in-force.ts";

/** One setting with the value in force and where it comes from; opened, the whole cascade. */
export function ConfigRow({ cascade, onChange }: { cascade: ConfigCascade; onChange: () => void }): ReactElement {
  const { key, description, value, source, problem } = cascade;
  const [open, setOpen] = useState(false);
  const id = useId();
  const own = instancesOf(cascade).length;
  return (
    <RowItem>
      <RowPart basis={300} grow={1}>
        <ButtonBase
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          sx={{ display: "flex", alignItems: "center", gap: 0.5, textAlign: "left", borderRadius: 1, minHeight: 28 }}
        >
          <ExpandMoreRounded sx={{ fontSize: 18, transform: open ? "none" : "rotate(-90deg)" }} />
          <Box component="span" sx={{ fontFamily: MONOSPACE, fontSize: 13, fontWeight: 600, overflowWrap: "anywhere" }}>
            {key}
          </Box>
        </ButtonBase>
        <Box sx={{ pl: 2.75, fontSize: 12.5, color: "text.secondary" }}>{t(description)}</Box>
        {problem === null ? null : <Box sx={{ pl: 2.75, fontSize: 12.5, color: "error.main" }}>{problem}</Box>}
      </RowPart>
      <RowPart basis={120} grow={1}>
        <Box sx={{ fontFamily: MONOSPACE, fontSize: 13 }}>{showValue(value)}</Box>
        {own === 0 ? null : (
          <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
            {t("other values for {{number}}", { number: own })}
          </Box>
        )}
      </RowPart>
      <ToneChip {...toSourceLook(source)} icon={LayersOutlined} />
      <Box id={id} sx={{ flexBasis: "100%", minWidth: 0 }}>
        {open ? <ConfigLevels cascade={cascade} onChange={onChange} /> : null}
      </Box>
    </RowItem>
  );
}
