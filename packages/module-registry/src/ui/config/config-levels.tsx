import AddRounded from "@mui/icons-material/AddRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Json } from "@oven/contract";
import type { ConfigCascade, ConfigSource } from "@oven/contract/system";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, type ReactNode, useState } from "react";
import { showValue, toPlaceWords } from "./config-words.ts";
import { holdsFor, isOfPlatform, type StoredValue } from "./in-force.ts";
import { type EditedLevel, ValueDialog } from "./value-dialog.tsx";

/** The levels of a setting, strongest first, each with its value; which one holds is marked. */
export function ConfigLevels({ cascade, onChange }: { cascade: ConfigCascade; onChange: () => void }): ReactElement {
  const { key, source, stored, defaultValue, instances } = cascade;
  const [edited, setEdited] = useState<EditedLevel | null>(null);
  const [removed, setRemoved] = useState<StoredValue | null>(null);
  const mayUpdate = useCan("config.update");
  const mayPlatform = useCan("config.platform") && mayUpdate;
  const may = (level: ConfigSource): boolean => (isOfPlatform(level) ? mayPlatform : mayUpdate);
  const singles = stored.filter(({ scopeId }) => scopeId !== null);
  const at = (level: ConfigSource): StoredValue | undefined => stored.find((one) => one.source === level);
  const actions = (one: StoredValue | undefined, level: ConfigSource): ReactElement | null =>
    may(level) ? (
      <LevelActions
        name={`${key}, ${toPlaceWords(level, one?.scopeId ?? null)}`}
        stored={one}
        onEdit={() => setEdited({ source: level, scopeId: one?.scopeId ?? null, stored: one ?? null })}
        onRemove={setRemoved}
      />
    ) : null;
  return (
    <Box sx={{ pl: { sm: 2.75 }, py: 1, display: "grid", gap: 1.5 }}>
      <Levels label={t("Levels of {{key}}, strongest first", { key })}>
        {(["tenant-module", "platform-module"] as const).map((level) => (
          <Level key={level} source={level} value={at(level)?.value} holds={source === level}>
            {actions(at(level), level)}
          </Level>
        ))}
        <Level source="default" value={defaultValue} holds={source === "default"} />
      </Levels>
      {instances === null ? null : (
        <Box>
          <Box sx={{ fontSize: 12.5, fontWeight: 600, color: "text.secondary" }}>
            {t("Values for single ones ({{what}})", { what: t(instances) })}
          </Box>
          <Levels label={t("Values of {{key}} for single ones", { key })}>
            {singles.map((one) => (
              <Level
                key={one.id}
                source={one.source}
                scopeId={one.scopeId}
                value={one.value}
                holds={holdsFor(cascade, one.scopeId ?? "").id === one.id}
              >
                {actions(one, one.source)}
              </Level>
            ))}
          </Levels>
          {mayUpdate ? (
            <Button
              size="small"
              startIcon={<AddRounded />}
              aria-label={t("Set for a single one: {{key}}", { key })}
              onClick={() => setEdited({ source: "tenant-instance", scopeId: "", stored: null })}
            >
              {t("Set for a single one")}
            </Button>
          ) : null}
        </Box>
      )}
      {edited === null ? null : (
        <ValueDialog
          cascade={cascade}
          level={edited}
          onClose={(saved) => {
            setEdited(null);
            if (saved) onChange();
          }}
        />
      )}
      <ConfirmDialog
        open={removed !== null}
        title={t("Remove this value of {{key}}?", { key })}
        text={t("The next weaker value holds from then on.")}
        confirmLabel={t("Remove")}
        onClose={() => setRemoved(null)}
        onConfirm={async () => {
          await api(`module-configs/${removed?.id}`, { method: "DELETE" });
          onChange();
        }}
      />
    </Box>
  );
}

function Levels({ label, children }: { label: string; children: ReactNode }): ReactElement {
  return (
    <Box component="ol" aria-label={label} sx={{ m: 0, p: 0, listStyle: "none" }}>
      {children}
    </Box>
  );
}

function Level({
  source,
  scopeId = null,
  value,
  holds,
  children,
}: {
  source: ConfigSource;
  scopeId?: string | null;
  /** Undefined: nothing is set at this level. */
  value: Json | undefined;
  holds: boolean;
  children?: ReactNode;
}): ReactElement {
  return (
    <Box
      component="li"
      sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.5, minHeight: 36, fontSize: 13.5 }}
    >
      <Box sx={{ flex: "0 1 190px", fontWeight: holds ? 600 : 400 }}>{toPlaceWords(source, scopeId)}</Box>
      <Box
        sx={{
          flex: "1 1 120px",
          minWidth: 0,
          overflowWrap: "anywhere",
          ...(value === undefined ? { color: "text.secondary" } : { fontFamily: MONOSPACE, fontSize: 13 }),
        }}
      >
        {value === undefined ? t("not set") : showValue(value)}
      </Box>
      {holds ? <ToneChip tone="completed" word={t("holds")} /> : null}
      {children}
    </Box>
  );
}

function LevelActions({
  name,
  stored,
  onEdit,
  onRemove,
}: {
  name: string;
  stored: StoredValue | undefined;
  onEdit: () => void;
  onRemove: (stored: StoredValue) => void;
}): ReactElement {
  if (stored === undefined)
    return (
      <Button size="small" aria-label={t("Set {{name}}", { name })} onClick={onEdit}>
        {t("Set")}
      </Button>
    );
  return (
    <Box>
      <Button size="small" aria-label={t("Change {{name}}", { name })} onClick={onEdit}>
        {t("Change")}
      </Button>
      <Button size="small" aria-label={t("Remove {{name}}", { name })} onClick={() => onRemove(stored)}>
        {t("Remove")}
      </Button>
    </Box>
  );
}
