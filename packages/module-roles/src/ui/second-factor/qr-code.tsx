import Box from "@mui/material/Box";
import { generate } from "lean-qr";
import { type ReactElement, useMemo } from "react";

/** Modules of white around it, without which cameras do not find it. */
const QUIET = 4;

/** A text as a QR code, black on white in dark mode too: cameras expect it so. */
export function QrCode({ text, label }: { text: string; label: string }): ReactElement {
  const { path, size } = useMemo(() => {
    const code = generate(text);
    const cells: string[] = [];
    for (let y = 0; y < code.size; y++) {
      for (let x = 0; x < code.size; x++) if (code.get(x, y)) cells.push(`M${x + QUIET} ${y + QUIET}h1v1h-1z`);
    }
    return { path: cells.join(""), size: code.size + 2 * QUIET };
  }, [text]);
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      sx={{ display: "block", width: 208, maxWidth: "100%", bgcolor: "#fff", borderRadius: 1.5 }}
    >
      <path d={path} fill="#000" />
    </Box>
  );
}
