import CheckCircleRounded from "@mui/icons-material/CheckCircleRounded";
import RadioButtonUncheckedRounded from "@mui/icons-material/RadioButtonUncheckedRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import LinearProgress from "@mui/material/LinearProgress";
import Skeleton from "@mui/material/Skeleton";
import type { JsonObject } from "@oven/contract";
import type { ImportedElement, StoredImport } from "@oven/contract/workflow";
import { t, tx } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { type ReactElement, type ReactNode, useEffect, useRef } from "react";
import { settingWord } from "../../definition/import-words.ts";
import { type OpenStep, toOpenSteps } from "./import-progress.ts";

interface ImportTabProps {
  /** Undefined: it is being read; null: there is none. */
  imported: StoredImport | null | undefined;
  error: unknown;
  definition: JsonObject;
  /** The state that is selected on the canvas. */
  selected: string | null;
  onShow: (stateId: string) => void;
  /** Asks what takes the place of a state. */
  onReplace: (stateId: string) => void;
}

/** What an import took over, and what is left to do: beside the graph, a click leads to the step. */
export function ImportTab({ imported, error, definition, ...acts }: ImportTabProps): ReactElement {
  if (error)
    return (
      <Box sx={{ p: 1.75 }}>
        <ErrorPanel error={error} title={t("The report of the import could not be read")} />
      </Box>
    );
  if (imported === undefined) return <Skeleton variant="rounded" height={90} sx={{ m: 1.75 }} />;
  if (imported === null)
    return <Quiet>{t("The report of this import was not stored: an earlier version made it.")}</Quiet>;
  const { report, productTitle, createdAt } = imported;
  const steps = toOpenSteps(report, definition);
  const done = steps.filter(({ now }) => now !== "open").length;
  const noted = report.elements.filter(({ outcome }) => outcome === "noted");
  const left = report.elements.filter(({ outcome, state }) => outcome === "ignored" && state === null);
  return (
    <Box sx={{ display: "grid", gap: 2, px: 1.75, py: 1.5, fontSize: 13 }}>
      <Box sx={{ display: "grid", gap: 0.75, maxWidth: 560 }}>
        <Box>
          {tx("A workflow of {{product}}, imported {{time}}.", {
            product: productTitle,
            time: <RelativeTime at={createdAt} />,
          })}{" "}
          {steps.length === 0
            ? t("Every step was taken over.")
            : t("{{done}} of {{count}} placeholders are filled.", { done, count: steps.length })}
        </Box>
        {steps.length === 0 ? null : (
          <LinearProgress
            variant="determinate"
            value={(100 * done) / steps.length}
            aria-label={t("Placeholders that are filled")}
          />
        )}
      </Box>
      {steps.length === 0 ? null : (
        <Part title={t("To be replaced")}>
          {steps.map((step) => (
            <Step key={step.path} step={step} {...acts} />
          ))}
        </Part>
      )}
      {report.settings.length === 0 ? null : (
        <Part title={t("To be set here")}>
          {report.settings.map(({ kind, name, advice }) => (
            <Entry key={`${kind} ${name}`} name={name} type={settingWord(kind)} notes={[advice]} />
          ))}
        </Part>
      )}
      {noted.length === 0 ? null : (
        <Part title={t("Taken over, with a note")}>
          {noted.map((element) => (
            <Noted key={element.path} element={element} {...acts} />
          ))}
        </Part>
      )}
      {left.length === 0 ? null : (
        <Part title={t("Left out")}>
          {left.map(({ path, name, type, notes }) => (
            <Entry key={path} name={name} type={type} notes={notes} />
          ))}
        </Part>
      )}
      {report.notes.length === 0 ? null : (
        <Part title={t("What holds for all of it")}>
          {report.notes.map((note) => (
            <Box component="li" key={note} sx={{ color: "text.secondary" }}>
              {note}
            </Box>
          ))}
        </Part>
      )}
    </Box>
  );
}

type Acts = Pick<ImportTabProps, "selected" | "onShow" | "onReplace">;

function Step({ step, selected, onShow, onReplace }: Acts & { step: OpenStep }): ReactElement {
  const { name, type, notes, now } = step;
  const state = step.state ?? "";
  const Icon = now === "open" ? RadioButtonUncheckedRounded : CheckCircleRounded;
  return (
    <Entry
      icon={
        <Icon
          titleAccess={now === "open" ? t("open") : now === "filled" ? t("filled") : t("deleted")}
          sx={{ fontSize: 18, mt: "3px", flex: "none", color: now === "open" ? "warning.main" : "success.main" }}
        />
      }
      name={name}
      type={type}
      notes={now === "open" ? notes : []}
      isSelected={selected === state}
      onShow={now === "gone" ? undefined : () => onShow(state)}
    >
      {now === "open" ? (
        <Button
          size="small"
          variant="outlined"
          aria-label={t("Replace {{name}}", { name })}
          onClick={() => onReplace(state)}
        >
          {t("Replace…")}
        </Button>
      ) : null}
    </Entry>
  );
}

function Noted({ element, selected, onShow }: Acts & { element: ImportedElement }): ReactElement {
  const { name, type, notes, state } = element;
  return (
    <Entry
      name={name}
      type={type}
      notes={notes}
      isSelected={state !== null && selected === state}
      onShow={state === null ? undefined : () => onShow(state)}
    />
  );
}

interface EntryProps {
  icon?: ReactElement;
  name: string;
  type: string;
  notes: readonly string[];
  isSelected?: boolean;
  onShow?: (() => void) | undefined;
  children?: ReactNode;
}

function Entry({ icon, name, type, notes, isSelected = false, onShow, children }: EntryProps): ReactElement {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <Box
      component="li"
      ref={row}
      aria-current={isSelected ? "true" : undefined}
      sx={{
        display: "flex",
        alignItems: "flex-start",
        gap: 1,
        px: 1,
        py: 0.5,
        mx: -1,
        borderRadius: 1.5,
        bgcolor: isSelected ? "action.selected" : "transparent",
      }}
    >
      {icon}
      <Box sx={{ flex: 1, minWidth: 0, maxWidth: 760 }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1 }}>
          {onShow === undefined ? (
            <Box component="span" sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>
              {name}
            </Box>
          ) : (
            <Button
              size="small"
              variant="text"
              onClick={onShow}
              sx={{ minWidth: 0, px: 0.5, mx: -0.5, py: 0, textAlign: "left", overflowWrap: "anywhere" }}
            >
              {name}
            </Button>
          )}
          <Chip size="small" variant="outlined" label={type} sx={{ maxWidth: "100%" }} />
        </Box>
        {notes.map((note) => (
          <Box key={note} sx={{ color: "text.secondary", overflowWrap: "anywhere" }}>
            {note}
          </Box>
        ))}
      </Box>
      {children}
    </Box>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <Box component="section" aria-label={title}>
      <Box component="h3" sx={{ m: 0, mb: 0.5, fontSize: 13, fontWeight: 650 }}>
        {title}
      </Box>
      <Box component="ul" sx={{ m: 0, p: 0, display: "grid", gap: 0.5, listStyle: "none" }}>
        {children}
      </Box>
    </Box>
  );
}

function Quiet({ children }: { children: ReactNode }): ReactElement {
  return <Box sx={{ px: 1.75, py: 1.5, fontSize: 13, color: "text.secondary" }}>{children}</Box>;
}
