import AddRounded from "@mui/icons-material/AddRounded";
import CloseRounded from "@mui/icons-material/CloseRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import { t } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import type { ReactElement } from "react";
import { type ExpectationDraft, type ExpectationType, NEW_EXPECTATION, toExpectation } from "./expectation-draft.ts";
import { ExpectationSentence } from "./expectation-sentence.tsx";
import { TYPE_WORDS } from "./expectation-words.ts";

/** A draft with a key of its own, so that removing one leaves the fields of the others alone. */
export interface KeyedExpectation {
  key: number;
  draft: ExpectationDraft;
}

const CHOICES = (Object.keys(TYPE_WORDS) as ExpectationType[]).map((value) => ({ value, label: TYPE_WORDS[value] })); // cast: its own keys

/** What the run of a case must show: a list of sentences with fields in them. */
export function ExpectationFields({
  value,
  onChange,
}: {
  value: readonly KeyedExpectation[];
  onChange: (value: KeyedExpectation[]) => void;
}): ReactElement {
  const put = (key: number, draft: ExpectationDraft): void =>
    onChange(value.map((one) => (one.key === key ? { key, draft } : one)));
  const nextKey = Math.max(0, ...value.map(({ key }) => key)) + 1;
  return (
    <Box
      component="fieldset"
      sx={{ border: 0, m: 0, p: 0, minWidth: 0, display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 1.25 }}
    >
      <Box component="legend" sx={{ fontSize: 13, fontWeight: 600, p: 0, mb: 0.75 }}>
        {t("The run must show")}
      </Box>
      {value.map(({ key, draft }, index) => (
        <Box
          key={key}
          role="group"
          aria-label={t("Expectation {{number}}", { number: index + 1 })}
          sx={{
            display: "grid",
            gridTemplateColumns: "minmax(0, 1fr)",
            gap: 1.25,
            p: 1.5,
            border: 1,
            borderRadius: 2,
            borderColor: toExpectation(draft) === null ? "warning.main" : "divider",
          }}
        >
          <Box sx={{ display: "flex", gap: 1, alignItems: "center" }}>
            <ChoiceField
              size="small"
              value={draft.type}
              choices={CHOICES}
              onChange={(type) => put(key, { ...draft, type })}
              sx={{ flex: 1, minWidth: 0 }}
              slotProps={{ htmlInput: { "aria-label": t("What is expected") } }}
            />
            <IconButton
              size="small"
              aria-label={t("Remove expectation {{number}}", { number: index + 1 })}
              onClick={() => onChange(value.filter((one) => one.key !== key))}
            >
              <CloseRounded sx={{ fontSize: 18 }} />
            </IconButton>
          </Box>
          <ExpectationSentence draft={draft} onChange={(more) => put(key, { ...draft, ...more })} />
        </Box>
      ))}
      <Box>
        <Button
          size="small"
          startIcon={<AddRounded />}
          onClick={() => onChange([...value, { key: nextKey, draft: NEW_EXPECTATION }])}
        >
          {t("Add an expectation")}
        </Button>
      </Box>
    </Box>
  );
}
