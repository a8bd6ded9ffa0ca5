import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import type { PromotedItem } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ChangeLines } from "@oven/ui/components/change-lines.tsx";
import { FieldDiff } from "@oven/ui/components/field-diff.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import type { ReactElement } from "react";

const KINDS: Record<PromotedItem["kind"], string> = {
  workflow: t("Workflow"),
  "agent-workflow": t("Agent workflow"),
  agent: t("Agent"),
  trigger: t("Trigger"),
};
const CHANGES: Record<PromotedItem["change"], { word: string; color: "default" | "success" | "info" }> = {
  create: { word: t("new"), color: "success" },
  update: { word: t("changes"), color: "info" },
  draft: { word: t("gets a draft"), color: "info" },
  same: { word: t("the same"), color: "default" },
  mapped: { word: t("left out: another one is used"), color: "default" },
  kept: { word: t("stays as it is"), color: "default" },
};

/** What becomes of each item of a file, with what differs. */
export function PlanItems({ title, items }: { title: string; items: readonly PromotedItem[] }): ReactElement {
  return (
    <Panel title={title} flush>
      <Box component="ul" aria-label={title} sx={{ m: 0, p: 0, listStyle: "none" }}>
        {items.map((item) => (
          <Item key={`${item.kind} ${item.of} ${item.name}`} item={item} />
        ))}
      </Box>
    </Panel>
  );
}

function Item({ item }: { item: PromotedItem }): ReactElement {
  const { kind, name, of, change, definition, fields } = item;
  const { word, color } = CHANGES[change];
  const lines = fields.map(({ path, from, to }) => ({ name: path, before: from, after: to }));
  const label = t("Changes of {{title}}", { title: name });
  return (
    <Box
      component="li"
      sx={{ px: 2, py: 1.25, borderBottom: 1, borderColor: "divider", "&:last-of-type": { borderBottom: 0 } }}
    >
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1 }}>
        <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{name}</Box>
        <Box sx={{ flex: 1, fontSize: 13, color: "text.secondary" }}>
          {KINDS[kind]}
          {of === null ? "" : ` · ${of}`}
        </Box>
        <Chip size="small" variant="outlined" color={color} label={word} />
      </Box>
      {definition === null && lines.length === 0 ? null : (
        <Box component="details" sx={{ mt: 0.5, fontSize: 13 }}>
          <Box component="summary" sx={{ cursor: "pointer", color: "text.secondary" }}>
            {t("What differs")}
          </Box>
          {definition === null ? null : <FieldDiff comparison={definition} />}
          {lines.length === 0 ? null : (
            <Box sx={{ p: 1.75 }}>
              <ChangeLines label={label} lines={lines} paths />
            </Box>
          )}
        </Box>
      )}
    </Box>
  );
}
