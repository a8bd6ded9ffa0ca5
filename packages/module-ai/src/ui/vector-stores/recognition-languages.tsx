import Checkbox from "@mui/material/Checkbox";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormGroup from "@mui/material/FormGroup";
import FormLabel from "@mui/material/FormLabel";
import type { RecognitionLanguage } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { LANGUAGES } from "./document-words.ts";

interface RecognitionLanguagesProps {
  value: readonly RecognitionLanguage[];
  onChange: (languages: RecognitionLanguage[]) => void;
}

/** The languages that text is recognized in, each with a box. */
export function RecognitionLanguages({ value, onChange }: RecognitionLanguagesProps): ReactElement {
  return (
    <FormControl component="fieldset" variant="standard">
      <FormLabel component="legend" sx={{ fontSize: 12.5 }}>
        {t("Languages of the pages")}
      </FormLabel>
      <FormGroup row>
        {LANGUAGES.map(({ id, name }) => (
          <FormControlLabel
            key={id}
            label={name}
            control={
              <Checkbox
                size="small"
                checked={value.includes(id)}
                onChange={(_event, checked) =>
                  onChange(LANGUAGES.map((one) => one.id).filter((one) => (one === id ? checked : value.includes(one))))
                }
              />
            }
          />
        ))}
      </FormGroup>
    </FormControl>
  );
}
