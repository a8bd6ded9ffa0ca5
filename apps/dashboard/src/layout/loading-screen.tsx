import Box from "@mui/material/Box";
import type { ReactElement } from "react";
import { BrandMark } from "./brand-mark.tsx";

export function LoadingScreen(): ReactElement {
  return (
    <Box className="boot" role="status" aria-label="Loading" sx={{ minHeight: "60vh" }}>
      <BrandMark size={40} />
    </Box>
  );
}
