import LabelOutlined from "@mui/icons-material/LabelOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ModelAlias } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { RowPart } from "@oven/ui/components/row-item.tsx";
import { SimulatedChip } from "@oven/ui/components/simulated-chip.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { UsesList } from "@oven/ui/components/uses-panel.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { AliasDialog } from "./alias-dialog.tsx";
import { RowsPanel } from "./rows-panel.tsx";
import { type AliasTest, testAlias } from "./test-alias.ts";

/** Names that steps and agents ask for, and the models that they stand for. */
export function AliasTab(): ReactElement {
  return (
    <RowsPanel<ModelAlias>
      resource="ai-aliases"
      noun={t("model aliases")}
      addLabel={t("New alias")}
      empty={{
        icon: <LabelOutlined />,
        title: t("There is no alias"),
        text: t("An alias is a name for a model: workflows ask for “fast”, and you decide here what that is."),
      }}
      nameOf={({ name }) => `the alias “${name}”`}
      deleteText={t("Workflows and agents that name it fail from then on: no other model is taken in its place.")}
      isOwn={({ tenantId }) => tenantId !== null}
      textOf={({ name, models }) => `${name} ${models.join(" ")}`}
      show={(alias) => <AliasParts alias={alias} />}
      dialog={(alias, onClose) => <AliasDialog alias={alias} onClose={onClose} />}
    />
  );
}

function AliasParts({ alias }: { alias: ModelAlias }): ReactElement {
  const { name, models, resolvesTo, problem } = alias;
  const maySeeUses = useCan("agents.read");
  const may = { generate: useCan("ai.generate"), embed: useCan("ai.embed") };
  const [tested, setTested] = useState<AliasTest | null>(null);
  const [open, setOpen] = useState(false);
  const { busy, failure, run } = useAction(async () => {
    setTested(null);
    setTested(await testAlias(alias));
  });
  const mayTest = name === "embed" ? may.embed : may.generate;
  return (
    <>
      <RowPart basis={130}>
        <Box sx={{ fontWeight: 600 }}>{name}</Box>
      </RowPart>
      <RowPart basis={240} grow={1}>
        <Box sx={{ fontFamily: MONOSPACE, fontSize: 12.5 }}>{models.join(" → ")}</Box>
        {resolvesTo !== null && models[0] !== `${resolvesTo.providerId}:${resolvesTo.modelId}` ? (
          <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
            {t("now {{model}}", { model: `${resolvesTo.providerId}:${resolvesTo.modelId}` })}
          </Box>
        ) : null}
      </RowPart>
      {problem === null ? null : <ToneChip tone="failed" word={t("stands for nothing")} />}
      {resolvesTo?.simulated === true ? <SimulatedChip /> : null}
      {maySeeUses ? (
        <Button
          size="small"
          aria-expanded={open}
          aria-label={t("Used by: {{name}}", { name })}
          onClick={() => setOpen(!open)}
        >
          {t("Used by")}
        </Button>
      ) : null}
      {mayTest && problem === null ? (
        <Button
          size="small"
          variant="outlined"
          loading={busy}
          aria-label={t("Test {{name}}", { name })}
          onClick={() => void run()}
        >
          {t("Test")}
        </Button>
      ) : null}
      {problem === null && failure === null && tested === null && !open ? null : (
        <Box role="status" sx={{ order: 1, flex: "1 1 100%", minWidth: 0, display: "grid", gap: 1 }}>
          {problem === null ? null : <Alert severity="error">{problem}</Alert>}
          {failure === null ? null : <ErrorPanel error={failure} title={t("{{name}} did not answer", { name })} />}
          {tested === null ? null : (
            <Alert severity="success" sx={{ overflowWrap: "anywhere" }}>
              {t("{{model}} answered in {{durationMs}} ms: {{text}}", {
                model: tested.model,
                durationMs: tested.durationMs,
                text: tested.said,
              })}
            </Alert>
          )}
          {open ? (
            <UsesList
              path={`model-uses?model=${encodeURIComponent(name)}`}
              none={t("No agent and no published workflow names it.")}
            />
          ) : null}
        </Box>
      )}
    </>
  );
}
