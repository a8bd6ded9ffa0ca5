import Autocomplete from "@mui/material/Autocomplete";
import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import TextField from "@mui/material/TextField";
import type { HTMLAttributes, Key, ReactElement, ReactNode } from "react";
import { renderGroup } from "./render-group.tsx";
import type { PickChoice } from "./use-choices.ts";

interface SharedProps {
  id: string;
  choices: readonly PickChoice[];
  describedBy?: string | undefined;
  invalid?: boolean;
  placeholder?: string | undefined;
  /** The label of a field that stands by itself. */
  label?: string;
  helperText?: ReactNode;
  required?: boolean;
}

const matches = (options: PickChoice[], text: string): PickChoice[] => {
  const words = text.toLowerCase().split(/\s+/);
  return options.filter(({ value, label, detail }) => {
    const all = `${value} ${label} ${detail}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
};

function renderOption(
  { key: _, ...props }: HTMLAttributes<HTMLLIElement> & { key: Key },
  option: PickChoice | string,
): ReactElement {
  if (typeof option === "string")
    return (
      <li {...props} key={option}>
        {option}
      </li>
    );
  return (
    <li {...props} key={toKey(option)}>
      <Box sx={{ minWidth: 0 }}>
        <Box
          sx={{
            fontSize: option.isNote ? 12 : 13.5,
            color: option.isNote ? "warning.main" : "inherit",
            overflowWrap: "anywhere",
          }}
        >
          {option.label}
        </Box>
        <Box sx={{ fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>
          {[option.isNote || option.label === option.value ? "" : option.value, option.detail]
            .filter((part) => part !== "")
            .join(" · ")}
        </Box>
      </Box>
    </li>
  );
}

const toKey = (option: PickChoice | string): string =>
  typeof option === "string" ? option : `${option.group} ${option.label} ${option.value}`;
const toValue = (option: PickChoice | string): string => (typeof option === "string" ? option : option.value);

/** One of a list of the server's, or anything else that is typed. */
export function PickInput({
  value,
  onChange,
  ...shared
}: SharedProps & { value: string; onChange: (value: string) => void }): ReactElement {
  const { id, describedBy, choices, invalid = false, placeholder, label, helperText, required = false } = shared;
  return (
    <Autocomplete<PickChoice | string, false, false, true>
      id={id}
      freeSolo
      fullWidth
      size="small"
      openOnFocus
      options={[...choices]}
      groupBy={(option) => (typeof option === "string" ? "" : option.group)}
      getOptionLabel={toValue}
      getOptionKey={toKey}
      getOptionDisabled={(option) => typeof option !== "string" && option.isNote === true}
      isOptionEqualToValue={(option, chosen) => toValue(option) === toValue(chosen)}
      // All of them while what stands there is one of them: to change is the usual wish.
      filterOptions={(options, { inputValue }) => {
        const rows = options.filter((option) => typeof option !== "string");
        return rows.some((row) => row.value === inputValue) ? rows : matches(rows, inputValue);
      }}
      inputValue={value}
      value={value}
      onInputChange={(_, text, reason) => {
        if (reason !== "reset") onChange(text);
      }}
      onChange={(_, chosen) => onChange(chosen === null ? "" : toValue(chosen))}
      renderGroup={renderGroup}
      renderOption={renderOption}
      renderInput={(parameters) => (
        <TextField
          {...parameters}
          {...(label === undefined ? {} : { label })}
          {...(helperText === undefined ? {} : { helperText })}
          required={required}
          error={invalid}
          placeholder={placeholder ?? ""}
          slotProps={{
            input: parameters.InputProps,
            htmlInput: {
              ...parameters.inputProps,
              ...(describedBy === undefined ? {} : { "aria-describedby": describedBy }),
            },
          }}
        />
      )}
    />
  );
}

/** Several texts, picked or typed; Enter takes what was typed. */
export function PickManyInput({
  value,
  onChange,
  ...shared
}: SharedProps & { value: string[]; onChange: (value: string[]) => void }): ReactElement {
  const { id, describedBy, choices, invalid = false, placeholder, label, helperText, required = false } = shared;
  return (
    <Autocomplete<PickChoice | string, true, false, true>
      id={id}
      multiple
      freeSolo
      fullWidth
      size="small"
      autoSelect={false}
      clearOnBlur
      disableCloseOnSelect
      filterSelectedOptions
      options={[...choices]}
      groupBy={(option) => (typeof option === "string" ? "" : option.group)}
      getOptionLabel={toValue}
      getOptionKey={toKey}
      getOptionDisabled={(option) => typeof option !== "string" && option.isNote === true}
      isOptionEqualToValue={(option, chosen) => toValue(option) === toValue(chosen)}
      filterOptions={(options, { inputValue }) =>
        matches(
          options.filter((option) => typeof option !== "string"),
          inputValue,
        )
      }
      value={value}
      onChange={(_, chosen) => onChange([...new Set(chosen.map(toValue))])}
      renderGroup={renderGroup}
      renderOption={renderOption}
      renderValue={(chosen, getItemProps) =>
        chosen.map((option, index) => {
          const { key, ...item } = getItemProps({ index });
          return <Chip key={key} size="small" label={toValue(option)} {...item} />;
        })
      }
      renderInput={(parameters) => (
        <TextField
          {...parameters}
          {...(label === undefined ? {} : { label })}
          {...(helperText === undefined ? {} : { helperText })}
          required={required}
          error={invalid}
          placeholder={value.length === 0 ? (placeholder ?? "") : ""}
          slotProps={{
            input: parameters.InputProps,
            htmlInput: {
              ...parameters.inputProps,
              ...(describedBy === undefined ? {} : { "aria-describedby": describedBy }),
            },
          }}
        />
      )}
    />
  );
}
