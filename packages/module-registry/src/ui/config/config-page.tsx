import SearchRounded from "@mui/icons-material/SearchRounded";
import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import Skeleton from "@mui/material/Skeleton";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { ConfigCascade } from "@oven/contract/system";
import { t } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { type ReactElement, useState } from "react";
import { ConfigRow } from "./config-row.tsx";

/** Every setting of the modules: what holds, and where that comes from. */
export function ConfigPage(): ReactElement {
  const [again, setAgain] = useState(0);
  const { data, error } = useAnswer<ConfigCascade[]>("module-configs/cascade", again);
  const reload = (): void => setAgain((count) => count + 1);
  return (
    <>
      <PageHeader
        title={t("Configuration")}
        line={t(
          "The strongest value that is set holds: for one workflow or agent, for this tenant, for the installation, or the default.",
        )}
      />
      {error ? (
        <ErrorPanel error={error} title={t("The configuration could not be loaded")} onRetry={reload} />
      ) : data === undefined ? (
        <Box role="status" aria-label={t("Loading the configuration")}>
          <Skeleton variant="rounded" height={360} />
        </Box>
      ) : (
        <Settings cascades={data} onChange={reload} />
      )}
    </>
  );
}

function Settings({ cascades, onChange }: { cascades: readonly ConfigCascade[]; onChange: () => void }): ReactElement {
  const [text, setText] = useState("");
  const [onlySet, setOnlySet] = useState(false);
  const words = text.toLowerCase().split(/\s+/);
  const shown = cascades.filter(({ moduleName, key, description, stored }) => {
    const all = `${moduleName} ${key} ${t(description)}`.toLowerCase();
    return words.every((word) => all.includes(word)) && (!onlySet || stored.length > 0);
  });
  const modules = Map.groupBy(shown, ({ moduleName }) => moduleName);
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, alignItems: "center", mb: 1.5 }}>
        <TextField
          type="search"
          placeholder={t("Search settings")}
          value={text}
          onChange={(event) => setText(event.target.value)}
          sx={{ width: { xs: "100%", sm: 260 } }}
          slotProps={{ htmlInput: { "aria-label": t("Search settings") } }}
        />
        <FormControlLabel
          control={<Switch size="small" checked={onlySet} onChange={(_, checked) => setOnlySet(checked)} />}
          label={t("Only what is set")}
        />
      </Box>
      {shown.length === 0 ? (
        <Panel>
          <EmptyState
            icon={<SearchRounded />}
            title={onlySet && text === "" ? t("Nothing is set") : t("No settings match")}
            text={
              onlySet && text === ""
                ? t("Everything is as it comes. Switch “Only what is set” off to see all settings.")
                : t("Nothing fits this search and these filters.")
            }
          />
        </Panel>
      ) : (
        <Box sx={{ display: "grid", gap: 2 }}>
          {[...modules].map(([name, rows]) => (
            <Panel key={name} title={name} flush>
              <Box
                component="ul"
                aria-label={t("Settings of {{name}}", { name })}
                sx={{ m: 0, p: 0, listStyle: "none" }}
              >
                {rows.map((cascade) => (
                  <ConfigRow key={cascade.key} cascade={cascade} onChange={onChange} />
                ))}
              </Box>
            </Panel>
          ))}
        </Box>
      )}
    </>
  );
}
