import type { AutocompleteRenderGroupParams } from "@mui/material/Autocomplete";
import Box from "@mui/material/Box";
import type { ReactElement } from "react";

/** A heading with its options, in roles that a list box may hold. */
export function renderGroup({ key, group, children }: AutocompleteRenderGroupParams): ReactElement {
  return (
    <li key={key} role="presentation">
      {group === "" ? null : (
        <Box aria-hidden sx={{ px: 2, pt: 1, pb: 0.25, fontSize: 12, fontWeight: 600, color: "text.secondary" }}>
          {group}
        </Box>
      )}
      <Box component="ul" role="group" aria-label={group} sx={{ m: 0, p: 0, listStyle: "none" }}>
        {children}
      </Box>
    </li>
  );
}
