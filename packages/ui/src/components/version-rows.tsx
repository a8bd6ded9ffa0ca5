import RestoreRounded from "@mui/icons-material/RestoreRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { t } from "@oven/i18n";
import { type ReactElement, type ReactNode, useState } from "react";
import { useNotify, useRefresh } from "react-admin";
import { api } from "../api/api-client.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { RelativeTime } from "./relative-time.tsx";
import { ToneChip } from "./status-chip.tsx";

/** What versions of everything have. */
export interface ListedVersion {
  id: number;
  version: number;
  description: string | null;
  createdAt: string;
}

export interface VersionRowsProps<Version extends ListedVersion> {
  /** Newest first. */
  versions: readonly Version[];
  /** The number of the version that is live. */
  live: number;
  /** The list of the API. `POST <path>/<id>/restore` makes a version live again. */
  path: string;
  mayRestore: boolean;
  /** What follows from restoring one. */
  restoreText: string;
  /** In place of a description that was not given; absent: "No note". */
  toNote?: (version: Version, index: number) => string;
  /** Further parts of a row, before its state. */
  renderParts: (version: Version) => ReactNode;
  /** What stands below a row. */
  renderBelow?: (version: Version, index: number) => ReactNode;
}

/** Every version with its note, and the way back to an older one. */
export function VersionRows<Version extends ListedVersion>(props: VersionRowsProps<Version>): ReactElement {
  const {
    versions,
    live,
    path,
    mayRestore,
    restoreText,
    renderParts,
    renderBelow,
    toNote = () => t("No note"),
  } = props;
  const [restoring, setRestoring] = useState<Version | null>(null);
  const notify = useNotify();
  const refresh = useRefresh();
  return (
    <>
      <Box component="ol" aria-label={t("Versions")} sx={{ m: 0, p: 0, listStyle: "none" }}>
        {versions.map((version, index) => (
          <Box
            component="li"
            key={version.id}
            sx={{ py: 1.25, borderBottom: 1, borderColor: "divider", "&:last-of-type": { borderBottom: 0 } }}
          >
            <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
              <Box sx={{ width: 84, fontWeight: 600 }}>{t("Version {{version}}", { version: version.version })}</Box>
              <Box
                sx={{
                  flex: "1 1 200px",
                  minWidth: 0,
                  color: version.description ? "text.primary" : "text.secondary",
                  overflowWrap: "anywhere",
                }}
              >
                {version.description ?? toNote(version, index)}
              </Box>
              <Box sx={{ color: "text.secondary", fontSize: 13 }}>
                <RelativeTime at={version.createdAt} />
              </Box>
              {renderParts(version)}
              <Box sx={{ minWidth: 100, textAlign: "right" }}>
                {version.version === live ? (
                  <ToneChip tone="completed" word={t("live")} />
                ) : mayRestore ? (
                  <Button
                    size="small"
                    variant="outlined"
                    startIcon={<RestoreRounded />}
                    aria-label={t("Restore version {{version}}", { version: version.version })}
                    onClick={() => setRestoring(version)}
                  >
                    {t("Restore")}
                  </Button>
                ) : null}
              </Box>
            </Box>
            {renderBelow?.(version, index)}
          </Box>
        ))}
      </Box>
      <ConfirmDialog
        open={restoring !== null}
        title={t("Restore version {{version}}?", { version: restoring?.version ?? "" })}
        text={restoreText}
        confirmLabel={t("Restore")}
        onClose={() => setRestoring(null)}
        onConfirm={async () => {
          if (restoring === null) return;
          await api(`${path}/${restoring.id}/restore`, { method: "POST", body: {} });
          notify(t("Version {{version}} is live again", { version: restoring.version }), { type: "success" });
          refresh();
        }}
      />
    </>
  );
}
