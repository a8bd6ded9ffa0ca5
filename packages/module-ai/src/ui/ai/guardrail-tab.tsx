import ShieldOutlined from "@mui/icons-material/ShieldOutlined";
import Box from "@mui/material/Box";
import type { Guardrail } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ReactElement } from "react";
import { GuardrailDialog } from "./guardrail-dialog.tsx";
import { GuardrailTester } from "./guardrail-tester.tsx";
import { ACTION_LOOK, DIRECTIONS, toRuleWords } from "./guardrail-words.ts";
import { RowsPanel } from "./rows-panel.tsx";

/** What may not go to models, and what may not come from them. */
export function GuardrailTab(): ReactElement {
  const mayTry = useCan("ai.generate");
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <RowsPanel<Guardrail>
        resource="ai-guardrails"
        noun={t("guardrails")}
        addLabel={t("New guardrail")}
        empty={{
          icon: <ShieldOutlined />,
          title: t("Everything goes to models and comes back as it is"),
          text: t(
            "A guardrail masks card numbers, refuses a call that names a secret project, or warns of a rude answer.",
          ),
        }}
        nameOf={({ name }) => `the guardrail “${name}”`}
        deleteText={t("Nothing looks for this any more.")}
        isOwn={({ tenantId }) => tenantId !== null}
        textOf={({ name }) => name}
        show={(guardrail) => (
          <>
            <RowPart basis={180} grow={1}>
              <Box sx={{ fontWeight: 600 }}>{guardrail.name}</Box>
              <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
                {DIRECTIONS.find(({ value }) => value === guardrail.direction)?.label}
              </Box>
            </RowPart>
            <RowPart basis={220} grow={2}>
              {toRuleWords(guardrail.rule)}
            </RowPart>
            <ToneChip {...ACTION_LOOK[guardrail.action]} />
            {guardrail.enabled ? null : <ToneChip tone="cancelled" word={t("off")} />}
          </>
        )}
        dialog={(guardrail, onClose) => <GuardrailDialog guardrail={guardrail} onClose={onClose} />}
      />
      {mayTry ? (
        <Panel title={t("Try a text against all that are on")}>
          <GuardrailTester />
        </Panel>
      ) : null}
    </Box>
  );
}
