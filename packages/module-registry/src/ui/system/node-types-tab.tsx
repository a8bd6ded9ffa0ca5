import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import type { Json } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { MarkdownText } from "@oven/ui/components/markdown-text.tsx";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import { KindIcon } from "@oven/workflow-editor";
import { type ReactElement, useState } from "react";
import { Answered } from "./answered.tsx";
import { Fact, Fold } from "./fold.tsx";

/** Shown at once; a search narrows them down. */
const SHOWN = 60;

/** Every node type: what it does, what it takes, what it answers. */
export function NodeTypesTab(): ReactElement {
  const [text, setText] = useState("");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (
    <Answered answer={{ data: useNodeTypes(), error: null }} what={t("The node types")}>
      {(types) => {
        const found = types.filter(({ id, title, docs, category }) => {
          const said = `${id} ${title} ${category} ${docs}`.toLowerCase();
          return words.every((word) => said.includes(word));
        });
        return (
          <>
            <TextField
              type="search"
              placeholder={t("Search node types")}
              value={text}
              onChange={(event) => setText(event.target.value)}
              sx={{ width: { xs: "100%", sm: 300 }, mb: 1 }}
              slotProps={{ htmlInput: { "aria-label": t("Search node types") } }}
            />
            <Box role="status" sx={{ fontSize: 13, color: "text.secondary" }}>
              {found.length === types.length
                ? t("{{total}} node types", { total: types.length })
                : t("{{found}} of {{total}}", { found: found.length, total: types.length })}
              {found.length > SHOWN
                ? ` · ${t("The first {{shown}} are shown, search for the others.", { shown: SHOWN })}`
                : ""}
            </Box>
            {found.slice(0, SHOWN).map((type) => (
              <Type key={`${type.id}@${type.version}`} type={type} />
            ))}
          </>
        );
      }}
    </Answered>
  );
}

function Type({ type }: { type: NodeType }): ReactElement {
  const { id, version, title, module, effect, outcomes } = type;
  return (
    <Fold
      title={
        <>
          <KindIcon kind={type.kind} size={14} /> {title}
        </>
      }
      line={t("{{id}} · version {{version}} · {{module}}", { id, version, module })}
    >
      {() => (
        <>
          <MarkdownText text={type.docs} />
          <Box sx={{ fontSize: 13, color: "text.secondary" }}>
            {type.category}, {effect}
            {outcomes.length === 0
              ? ""
              : ` · ${t("Outcomes: {{outcomes}}", { outcomes: outcomes.map((outcome) => outcome.title).join(", ") })}`}
          </Box>
          <Fact name={t("Input")}>
            {/* cast: a JSON Schema is JSON */}
            <JsonView value={type.inputSchema as Json} what={t("the input of {{id}}", { id })} maxHeight={360} />
          </Fact>
          <Fact name={t("Output")}>
            <JsonView value={type.outputSchema as Json} what={t("the output of {{id}}", { id })} maxHeight={360} />
          </Fact>
        </>
      )}
    </Fold>
  );
}
