/** How long something may take before it is shown that it takes long. */
const LATE_MS = 300;

/** Styles of what stands in for content: not to be seen for a moment, so that what loads at once does not flicker. */
export const LATE = {
  "@keyframes oven-late": { from: { visibility: "hidden" }, to: { visibility: "hidden" } },
  animation: `oven-late ${LATE_MS}ms`,
} as const;
