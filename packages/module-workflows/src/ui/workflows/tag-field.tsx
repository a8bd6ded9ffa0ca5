import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { MAX_TAG_LENGTH, MAX_TAGS, toTag } from "@oven/contract";
import { t } from "@oven/i18n";
import type { KeyboardEvent, ReactElement } from "react";

export interface TagFieldProps {
  label: string;
  value: readonly string[];
  known: readonly string[];
  onChange: (tags: string[]) => void;
  /** Only those that are in use. */
  closed?: boolean;
  problem?: string | undefined;
  autoFocus?: boolean;
  small?: boolean;
}

/** Tags to be chosen or typed; Enter or a comma ends one. */
export function TagField(props: TagFieldProps): ReactElement {
  const { label, value, known, onChange, closed = false, problem, autoFocus = false, small = false } = props;
  return (
    <Autocomplete
      multiple
      freeSolo={!closed}
      autoSelect={!closed}
      handleHomeEndKeys
      filterSelectedOptions
      size="small"
      options={[...known]}
      value={[...value]}
      onChange={(_event, tags) =>
        onChange([...new Set(tags.flatMap((tag) => tag.split(",")).map(toTag))].filter(Boolean))
      }
      sx={small ? { width: { xs: "100%", sm: 240 } } : {}}
      renderInput={(field) => (
        <TextField
          {...field}
          label={small ? undefined : label}
          placeholder={value.length === 0 ? (small ? label : t("customer care")) : ""}
          autoFocus={autoFocus}
          error={problem !== undefined}
          helperText={
            problem ??
            (small || closed
              ? undefined
              : t("At most {{MAX_TAGS}}, of {{MAX_TAG_LENGTH}} characters each", { MAX_TAGS, MAX_TAG_LENGTH }))
          }
          slotProps={{
            htmlInput: {
              ...field.inputProps,
              "aria-label": label,
              onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
                // A comma ends a tag as Enter does.
                if (event.key !== "," || closed || event.currentTarget.value.trim() === "") return;
                event.preventDefault();
                onChange([...new Set([...value, toTag(event.currentTarget.value)])]);
              },
            },
          }}
        />
      )}
    />
  );
}
