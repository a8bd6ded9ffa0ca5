import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { currentLanguage, isLanguage, LANGUAGES, t } from "@oven/i18n";
import type { ReactElement } from "react";
import { chooseLanguage } from "./chosen-language.ts";

export function LanguageChoice(): ReactElement {
  return (
    <TextField
      select
      size="small"
      value={currentLanguage()}
      onChange={({ target }) => {
        if (isLanguage(target.value)) chooseLanguage(target.value);
      }}
      slotProps={{
        htmlInput: { "aria-label": t("Language") },
        select: { SelectDisplayProps: { "aria-label": t("Language") } },
      }}
      sx={{ "& .MuiSelect-select": { py: 0.5, fontSize: 13 } }}
    >
      {Object.entries(LANGUAGES).map(([value, name]) => (
        <MenuItem key={value} value={value} lang={value}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}
