import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { t } from "@oven/i18n";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import type { ReactElement } from "react";

/** Recovery codes, this once. */
export function RecoveryCodeList({ codes, onDone }: { codes: readonly string[]; onDone: () => void }): ReactElement {
  return (
    <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
      <CodeBlock text={codes.join("\n")} what={t("the recovery codes")} />
      <Alert severity="warning">
        {t(
          "Store these recovery codes where you find them without your phone. Each signs you in once. They are not shown again.",
        )}
      </Alert>
      <Box>
        <Button variant="contained" onClick={onDone}>
          {t("I have stored them")}
        </Button>
      </Box>
    </Box>
  );
}
