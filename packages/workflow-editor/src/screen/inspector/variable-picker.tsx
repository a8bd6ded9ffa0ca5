import Autocomplete from "@mui/material/Autocomplete";
import Box from "@mui/material/Box";
import Popover from "@mui/material/Popover";
import type { PopperProps } from "@mui/material/Popper";
import TextField from "@mui/material/TextField";
import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import { renderGroup } from "@oven/ui/components/pick/render-group.tsx";
import { type ReactElement, useState } from "react";
import { matchVariables } from "../../inspector/match-variables.ts";
import type { Variable } from "../../inspector/variables.ts";
import { VariableRow } from "./variable-list.tsx";

export interface VariablePickerProps {
  anchor: HTMLElement;
  label: string;
  variables: readonly Variable[];
  lastValue: (variable: Variable) => Json | undefined;
  onPick: (variable: Variable) => void;
  onClose: () => void;
}

/** The list stands in the flow of the dialog, not on a layer of its own. */
function InPlace({ children }: PopperProps): ReactElement {
  return (
    <Box sx={{ flex: 1, minHeight: 0, minWidth: 0, overflow: "hidden" }}>
      {typeof children === "function" ? null : children}
    </Box>
  );
}

/** What an expression here can read: with types, and the values of the last run. */
export function VariablePicker(props: VariablePickerProps): ReactElement {
  const { anchor, label, variables, lastValue, onPick, onClose } = props;
  const [lit, setLit] = useState<Variable | null>(null);
  const [sought, setSought] = useState("");
  const found = matchVariables(variables, sought);
  // Where the list is another one, its first is highlighted without a word.
  const chosen = lit !== null && found.some(({ path }) => path === lit.path) ? lit : found[0];
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
      slotProps={{
        paper: {
          role: "dialog",
          "aria-label": label,
          sx: {
            width: 400,
            maxWidth: "calc(100vw - 32px)",
            p: 1,
            height: 460,
            maxHeight: "calc(100dvh - 32px)",
            overflow: "hidden",
            display: "flex",
            flexDirection: "column",
          },
        },
      }}
    >
      <Autocomplete
        open
        autoHighlight
        slots={{ popper: InPlace }}
        size="small"
        options={variables}
        groupBy={(variable) => variable.group}
        getOptionLabel={(variable) => variable.path}
        getOptionKey={(variable) => variable.path}
        filterOptions={(options, { inputValue }) => matchVariables(options, inputValue)}
        onInputChange={(_, text) => setSought(text)}
        noOptionsText="Nothing of that name is in scope here"
        onChange={(_, chosen) => {
          if (chosen !== null) onPick(chosen);
        }}
        onClose={(_, reason) => {
          if (reason === "escape") onClose();
        }}
        onHighlightChange={(_, variable) => setLit(variable)}
        slotProps={{
          // As wide as the dialog: what does not fit wraps.
          listbox: { sx: { maxHeight: 300, overflowX: "hidden", "& li": { px: "8px !important", minWidth: 0 } } },
          paper: { sx: { boxShadow: "none" } },
        }}
        renderInput={(parameters) => (
          <TextField
            {...parameters}
            autoFocus
            placeholder={t("Search what is in scope")}
            slotProps={{
              input: parameters.InputProps,
              htmlInput: { ...parameters.inputProps, "aria-label": t("Search what is in scope") },
            }}
          />
        )}
        renderGroup={renderGroup}
        renderOption={({ key: _, ...item }, variable) => {
          return (
            <li {...item} key={variable.path}>
              <VariableRow variable={variable} value={lastValue(variable)} />
            </li>
          );
        }}
      />
      <Box
        role="status"
        aria-label={t("The chosen variable")}
        sx={{ flex: "none", mt: "auto", pt: 1, px: 1, borderTop: 1, borderColor: "divider", minHeight: 56 }}
      >
        {chosen === undefined ? null : (
          <>
            <VariableRow variable={chosen} value={lastValue(chosen)} whole />
            {chosen.description === null ? null : (
              <Box sx={{ fontSize: 12, color: "text.secondary" }}>{chosen.description}</Box>
            )}
          </>
        )}
      </Box>
    </Popover>
  );
}
