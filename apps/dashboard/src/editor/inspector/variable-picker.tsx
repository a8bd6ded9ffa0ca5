import Autocomplete from "@mui/material/Autocomplete";
import Popover from "@mui/material/Popover";
import type { PopperProps } from "@mui/material/Popper";
import TextField from "@mui/material/TextField";
import type { Json } from "@oven/contract";
import type { Variable } from "@oven/workflow-editor/inspector";
import type { ReactElement } from "react";
import { renderGroup } from "./render-group.tsx";
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
  return <div>{typeof children === "function" ? null : children}</div>;
}

/** What an expression here can read: with types, and the values of the last run. */
export function VariablePicker(props: VariablePickerProps): ReactElement {
  const { anchor, label, variables, lastValue, onPick, onClose } = props;
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
      slotProps={{ paper: { role: "dialog", "aria-label": label, sx: { width: 360, p: 1, height: 380 } } }}
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
        filterOptions={(options, { inputValue }) => {
          const words = inputValue.toLowerCase().split(/\s+/);
          return options.filter(({ path, group, description }) =>
            words.every((word) => `${path} ${group} ${description ?? ""}`.toLowerCase().includes(word)),
          );
        }}
        noOptionsText="Nothing of that name is in scope here"
        onChange={(_, chosen) => {
          if (chosen !== null) onPick(chosen);
        }}
        onClose={(_, reason) => {
          if (reason === "escape") onClose();
        }}
        slotProps={{ listbox: { sx: { maxHeight: 300 } }, paper: { sx: { boxShadow: "none" } } }}
        renderInput={(parameters) => (
          <TextField
            {...parameters}
            autoFocus
            placeholder="Search what is in scope"
            slotProps={{
              input: parameters.InputProps,
              htmlInput: { ...parameters.inputProps, "aria-label": "Search what is in scope" },
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
    </Popover>
  );
}
