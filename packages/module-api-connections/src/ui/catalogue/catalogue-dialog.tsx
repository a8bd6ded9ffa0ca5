import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Chip from "@mui/material/Chip";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import type { CataloguedService, ServiceCategory } from "@oven/contract/api";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { type ReactElement, useId, useState } from "react";
import { CATEGORIES, findServices } from "./find-services.ts";
import { textsOf } from "./service-texts.ts";

/** What can be connected: an API of one's own first, then the services that are known. */
export function CatalogueDialog({
  onChoose,
  onClose,
}: {
  onChoose: (chosen: CataloguedService | "own") => void;
  onClose: () => void;
}): ReactElement {
  const id = useId();
  const { data, error } = useAnswer<CataloguedService[]>("api-catalogue");
  const [words, setWords] = useState("");
  const [category, setCategory] = useState<ServiceCategory | null>(null);
  const found = findServices(data ?? [], words, category);
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby={id}>
      <DialogTitle id={id} sx={{ fontSize: 16 }}>
        {t("Connect an API")}
      </DialogTitle>
      <DialogContent>
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)", pt: 0.75 }}>
          <ServiceCard
            name={t("My own API")}
            description={t("By the address of its document, the document itself, or a curl command.")}
            onChoose={() => onChoose("own")}
          />
          <TextField
            type="search"
            label={t("Search services")}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          <CategoryChips chosen={category} onChoose={setCategory} />
          {error === null ? null : <ErrorPanel error={error} title={t("The services could not be loaded")} />}
          {data === undefined && error === null ? <Skeleton variant="rounded" height={240} /> : null}
          <Box
            component="ul"
            aria-label={t("Services")}
            sx={{ ...{ display: "grid", gap: 1, gridTemplateColumns: CARDS }, ...{ listStyle: "none", m: 0, p: 0 } }}
          >
            {found.map((service) => (
              <Box component="li" key={service.slug} sx={{ display: "grid" }}>
                <ServiceCard
                  name={service.name}
                  description={textsOf(service).description}
                  mark={service.source.type === "mcp" ? "MCP" : "API"}
                  onChoose={() => onChoose(service)}
                />
              </Box>
            ))}
          </Box>
          {data !== undefined && found.length === 0 ? (
            <Box sx={{ color: "text.secondary" }}>
              {t(
                "No service of the catalogue is called so. Most have an OpenAPI document: connect it as your own API.",
              )}
            </Box>
          ) : null}
        </Box>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button onClick={onClose}>{t("Close")}</Button>
      </DialogActions>
    </Dialog>
  );
}

const CARDS = "repeat(auto-fill, minmax(min(100%, 240px), 1fr))";

function CategoryChips({
  chosen,
  onChoose,
}: {
  chosen: ServiceCategory | null;
  onChoose: (category: ServiceCategory | null) => void;
}): ReactElement {
  return (
    <Box role="group" aria-label={t("What they are for")} sx={{ display: "flex", flexWrap: "wrap", gap: 0.75 }}>
      {CATEGORIES.map(({ value, label }) => (
        <Chip
          key={value}
          size="small"
          label={label}
          aria-pressed={chosen === value}
          color={chosen === value ? "primary" : "default"}
          variant={chosen === value ? "filled" : "outlined"}
          onClick={() => onChoose(chosen === value ? null : value)}
        />
      ))}
    </Box>
  );
}

interface ServiceCardProps {
  name: string;
  description: string;
  /** By which way it is connected. */
  mark?: string;
  onChoose: () => void;
}

function ServiceCard({ name, description, mark, onChoose }: ServiceCardProps): ReactElement {
  return (
    <ButtonBase
      onClick={onChoose}
      sx={{
        ...{ display: "flex", flexDirection: "column", alignItems: "stretch", justifyContent: "flex-start" },
        ...{ font: "inherit", textAlign: "left", px: 1.75, py: 1.25 },
        ...{ border: 1, borderColor: "divider", borderRadius: 1, "&:hover": { bgcolor: "action.hover" } },
      }}
    >
      <Box sx={{ display: "flex", gap: 1, alignItems: "baseline" }}>
        <Box component="span" sx={{ flex: 1, minWidth: 0, fontWeight: 600, overflowWrap: "anywhere" }}>
          {name}
        </Box>
        {mark === undefined ? null : (
          <Box component="span" sx={{ fontSize: 11, fontWeight: 600, color: "text.secondary" }}>
            {mark}
          </Box>
        )}
      </Box>
      <Box component="span" sx={{ display: "block", mt: 0.25, fontSize: 13, color: "text.secondary" }}>
        {description}
      </Box>
    </ButtonBase>
  );
}
