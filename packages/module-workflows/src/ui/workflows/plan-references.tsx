import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import { getOwn } from "@oven/contract";
import {
  type MappedKind,
  MappedKindSchema,
  type PromotedReference,
  type PromotionMapping,
  type PromotionPlan,
} from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { Panel } from "@oven/ui/components/panel.tsx";
import { PickInput } from "@oven/ui/components/pick/pick-input.tsx";
import type { ReactElement } from "react";

const KINDS: Record<PromotedReference["kind"], string> = {
  workflow: t("Workflow"),
  "agent-workflow": t("Agent workflow"),
  agent: t("Agent"),
  model: t("Model"),
  secret: t("Secret"),
  tool: t("Tool"),
  connection: t("Connected MCP server"),
  "vector-store": t("Vector store"),
  table: t("Table"),
  node: t("Step type"),
  config: t("Configuration key"),
};
const STATES: Record<PromotedReference["state"], { word: string; color: "default" | "success" | "warning" }> = {
  included: { word: t("in the file"), color: "default" },
  found: { word: t("is here"), color: "success" },
  mapped: { word: t("is called otherwise here"), color: "success" },
  missing: { word: t("is missing"), color: "warning" },
};

/** What the file names, whether it is here, and what it is called here. Missing names come first. */
export function PlanReferences({
  plan,
  mapping,
  onChange,
}: {
  plan: PromotionPlan;
  mapping: PromotionMapping;
  onChange: (mapping: PromotionMapping) => void;
}): ReactElement {
  // Step types that are here need no word.
  const shown = plan.references.filter(({ kind, state }) => kind !== "node" || state === "missing");
  const title = t("What it is called here");
  const rank = ({ kind, name, state }: PromotedReference) =>
    state === "missing" || (isMapped(kind) && getOwn(mapping[kind], name) !== undefined) ? 0 : 1;
  return (
    <Panel title={title} flush>
      <Box component="ul" aria-label={title} sx={{ m: 0, p: 0, listStyle: "none" }}>
        {shown
          .toSorted((one, other) => rank(one) - rank(other))
          .map((reference) => (
            <Reference
              key={`${reference.kind} ${reference.name}`}
              reference={reference}
              choices={isMapped(reference.kind) ? (plan.choices[reference.kind] ?? []) : []}
              value={isMapped(reference.kind) ? (getOwn(mapping[reference.kind], reference.name) ?? "") : ""}
              onChange={(to) => onChange(withName(mapping, reference, to))}
            />
          ))}
      </Box>
    </Panel>
  );
}

function Reference({
  reference,
  choices,
  value,
  onChange,
}: {
  reference: PromotedReference;
  choices: readonly string[];
  value: string;
  onChange: (to: string) => void;
}): ReactElement {
  const { kind, name, usedBy, state, fix } = reference;
  const { word, color } = STATES[state];
  return (
    <Box
      component="li"
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 1.5,
        px: 2,
        py: 1.25,
        borderBottom: 1,
        borderColor: "divider",
        "&:last-of-type": { borderBottom: 0 },
      }}
    >
      <Box sx={{ flex: "1 1 220px", minWidth: 0 }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1 }}>
          <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{name}</Box>
          <Chip size="small" variant="outlined" color={color} label={word} />
        </Box>
        <Box sx={{ fontSize: 13, color: "text.secondary", overflowWrap: "anywhere" }}>
          {KINDS[kind]} · {usedBy.join(", ")}
        </Box>
        {fix === null ? null : <Box sx={{ fontSize: 13 }}>{fix}</Box>}
      </Box>
      {isMapped(kind) ? (
        <Box sx={{ flex: "0 1 280px", minWidth: 200 }}>
          <PickInput
            id={`called-${kind}-${name}`}
            label={t("{{name}} is called here", { name })}
            value={value}
            placeholder={name}
            choices={choices.map((choice) => ({ value: choice, label: choice, detail: "", group: "" }))}
            onChange={onChange}
          />
        </Box>
      ) : null}
    </Box>
  );
}

function withName(mapping: PromotionMapping, { kind, name }: PromotedReference, to: string): PromotionMapping {
  if (!isMapped(kind)) return mapping;
  const { [name]: _before, ...others } = mapping[kind] ?? {};
  return { ...mapping, [kind]: to.trim() === "" ? others : { ...others, [name]: to.trim() } };
}

function isMapped(kind: PromotedReference["kind"]): kind is MappedKind {
  return MappedKindSchema.options.some((mapped) => mapped === kind);
}
