import BookmarkAddOutlined from "@mui/icons-material/BookmarkAddOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { type ReactElement, useState } from "react";
import { useGetIdentity, useListContext, useStore } from "react-admin";
import { useNavigate } from "react-router-dom";

interface SavedView {
  name: string;
  /** `?show=mine`, as in the address. */
  search: string;
}

const NONE: SavedView[] = [];

/** Filters kept under a name, of this person in this browser. `search`: what is shown now; empty: everything. */
export function SavedViews({ of, path, search }: { of: string; path: string; search: string }): ReactElement | null {
  const { identity } = useGetIdentity();
  const [views, setViews] = useStore<SavedView[]>(`views.${of}.${identity?.id ?? "nobody"}`, NONE);
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState("");
  const navigate = useNavigate();
  const saved = views.some((view) => view.search === search);
  if (views.length === 0 && search === "") return null;
  return (
    <Box
      role="group"
      aria-label={t("Saved views")}
      sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 0.75 }}
    >
      {views.map((view) => (
        <Chip
          key={view.name}
          size="small"
          label={view.name}
          variant={view.search === search ? "filled" : "outlined"}
          color={view.search === search ? "primary" : "default"}
          aria-pressed={view.search === search}
          onClick={() => void navigate(`${path}${view.search}`)}
          onDelete={() => setViews(views.filter((one) => one !== view))}
        />
      ))}
      {saved || search === "" ? null : naming ? (
        <Box
          component="form"
          sx={{ display: "flex", gap: 0.75 }}
          onSubmit={(event) => {
            event.preventDefault();
            const called = name.trim();
            setViews([...views.filter((view) => view.name !== called), { name: called, search }]);
            setNaming(false);
            setName("");
          }}
        >
          <TextField
            autoFocus
            size="small"
            label={t("Name of the view")}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && setNaming(false)}
            slotProps={{ htmlInput: { maxLength: 40 } }}
            sx={{ width: 170 }}
          />
          <Button type="submit" size="small" variant="outlined" disabled={name.trim() === ""}>
            {t("Save")}
          </Button>
        </Box>
      ) : (
        <Button size="small" startIcon={<BookmarkAddOutlined />} onClick={() => setNaming(true)}>
          {t("Save this view")}
        </Button>
      )}
    </Box>
  );
}

/** The saved views of a list, which keeps its filters in the address. */
export function ListViews({ of }: { of: string }): ReactElement | null {
  const { filterValues } = useListContext();
  const filtered = Object.keys(filterValues).length > 0;
  const search = filtered ? `?filter=${encodeURIComponent(JSON.stringify(filterValues))}` : "";
  return <SavedViews of={of} path={`/${of}`} search={search} />;
}
