import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import FormControlLabel from "@mui/material/FormControlLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Typography from "@mui/material/Typography";
import type { Json, JsonObject } from "@oven/contract";
import { compareDefinitions } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { FieldDiff } from "@oven/ui/components/field-diff.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useMemo, useState } from "react";
import { mergeDefinitions, takeSide } from "../../compare/merge-definitions.ts";

export interface MergeDialogProps {
  /** What both sides began with. */
  base: JsonObject;
  mine: JsonObject;
  theirs: JsonObject;
  /** The name of the other side, such as "version 4". */
  theirName: string;
  onMerge: (document: JsonObject) => void;
  onClose: () => void;
}

type Side = "mine" | "theirs";

const show = (value: Json | undefined): string =>
  value === undefined
    ? t("nothing: it is removed")
    : typeof value === "string"
      ? value
      : JSON.stringify(value, null, 2);

/** What two people changed, joined; where both changed the same, one of the two is chosen. */
export function MergeDialog({ base, mine, theirs, theirName, onMerge, onClose }: MergeDialogProps): ReactElement {
  const { document, conflicts } = useMemo(() => mergeDefinitions(base, mine, theirs), [base, mine, theirs]);
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({});
  const open = conflicts.filter(({ path }) => sides[path] === undefined).length;
  const merged = useMemo(
    () => conflicts.reduce((joined, conflict) => takeSide(joined, conflict, sides[conflict.path] ?? "mine"), document),
    [document, conflicts, sides],
  );
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby="merge-title">
      <DialogTitle id="merge-title" sx={{ fontSize: 16 }}>
        {t("Merge your changes with {{theirs}}", { theirs: theirName })}
      </DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2.5 }}>
        <Typography variant="body2" color="text.secondary">
          {conflicts.length === 0
            ? t("You changed different things: both are kept.")
            : t("What does not overlap is joined. {{count}} places were changed by both: choose.", {
                count: conflicts.length,
              })}
        </Typography>
        {conflicts.map(({ path, ...values }) => (
          <Box
            key={path}
            component="fieldset"
            sx={{ m: 0, p: 1.5, border: 1, borderColor: "divider", borderRadius: 2 }}
          >
            <Box component="legend" sx={{ px: 0.75, fontFamily: MONOSPACE, fontSize: 12.5 }}>
              {path}
            </Box>
            <Box sx={{ fontSize: 12.5, color: "text.secondary", overflowWrap: "anywhere" }}>
              {t("Before: {{before}}", { before: values.base === undefined ? t("nothing") : show(values.base) })}
            </Box>
            <RadioGroup
              aria-label={t("Which of the two at {{path}}", { path })}
              value={sides[path] ?? ""}
              onChange={(_, value) => setSides({ ...sides, [path]: value === "theirs" ? "theirs" : "mine" })}
            >
              {(["mine", "theirs"] as const).map((side) => (
                <FormControlLabel
                  key={side}
                  value={side}
                  control={<Radio size="small" />}
                  sx={{ alignItems: "flex-start" }}
                  label={
                    <Box sx={{ pt: 1 }}>
                      <b>{side === "mine" ? t("Mine") : t("Theirs")}</b>
                      <Box
                        component="pre"
                        sx={{
                          m: 0,
                          fontFamily: MONOSPACE,
                          fontSize: 12.5,
                          whiteSpace: "pre-wrap",
                          overflowWrap: "anywhere",
                        }}
                      >
                        {show(values[side])}
                      </Box>
                    </Box>
                  }
                />
              ))}
            </RadioGroup>
          </Box>
        ))}
        <Box>
          <Typography variant="h3">{t("What the merge changes for you")}</Typography>
          <Box sx={{ mx: -1.75 }}>
            <FieldDiff comparison={compareDefinitions(mine, merged)} />
          </Box>
        </Box>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button variant="contained" disabled={open > 0} onClick={() => onMerge(merged)}>
          {open > 0 ? t("{{open}} to choose", { open }) : t("Merge")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
