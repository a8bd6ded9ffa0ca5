/** Of every panel beside the canvas: all have one width, so that the canvas does not move when one takes the place of another. */
export const SIDE_PANEL = {
  width: 380,
  flex: "none",
  minHeight: 0,
  borderLeft: 1,
  borderColor: "divider",
  bgcolor: "background.paper",
} as const;
