import Box from "@mui/material/Box";
import type { ReactElement } from "react";
import { MONOSPACE } from "../theme/tokens.ts";
import { CopyButton } from "./copy-button.tsx";
import { shortenId } from "./format.ts";

/**
 * A long id, shortened, with a button that copies the whole.
 * @param what names it in the button
 */
export function ShortId({ id, what }: { id: string; what: string }): ReactElement {
  return (
    <Box
      component="span"
      title={id}
      sx={{ display: "inline-flex", alignItems: "center", gap: 0.25, fontFamily: MONOSPACE, fontSize: 12.5 }}
    >
      {shortenId(id)}
      <CopyButton text={id} what={what} small />
    </Box>
  );
}
