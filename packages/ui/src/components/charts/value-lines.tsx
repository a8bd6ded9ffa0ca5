import Box from "@mui/material/Box";
import type { ReactElement } from "react";
import { Link } from "react-router-dom";

export interface ValueLine {
  key: string;
  name: string;
  to: string | null;
  /** What the bar stands for. */
  value: number;
  facts: string[];
}

/** The largest few, each with a bar. `lines` undefined: they are being asked for. */
export function ValueLines({ lines, nothing }: { lines: ValueLine[] | undefined; nothing: string }): ReactElement {
  if (lines?.length === 0) return <Box sx={{ fontSize: 13.5, color: "text.secondary" }}>{nothing}</Box>;
  const most = Math.max(1, ...(lines ?? []).map(({ value }) => value));
  return (
    <Box
      component="ul"
      aria-busy={lines === undefined}
      sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 1.25 }}
    >
      {(lines ?? [])
        .toSorted((a, b) => b.value - a.value)
        .slice(0, 8)
        .map(({ key, name, to, value, facts }) => (
          <Box component="li" key={key}>
            <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1.5, fontSize: 13.5 }}>
              <Box sx={{ flex: "1 1 160px", minWidth: 0, fontWeight: 600, overflowWrap: "anywhere" }}>
                {to === null ? (
                  name
                ) : (
                  <Box component={Link} to={to} sx={{ color: "text.primary" }}>
                    {name}
                  </Box>
                )}
              </Box>
              <Box sx={{ color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>{facts.join(" · ")}</Box>
            </Box>
            <Box aria-hidden sx={{ mt: 0.5, height: 6, borderRadius: 3, bgcolor: "var(--oven-sunken)" }}>
              <Box sx={{ width: `${(value / most) * 100}%`, height: 6, borderRadius: 3, bgcolor: "primary.main" }} />
            </Box>
          </Box>
        ))}
    </Box>
  );
}
