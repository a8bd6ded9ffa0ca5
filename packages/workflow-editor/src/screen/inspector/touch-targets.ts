/** As small as what is hit with a finger may be, in CSS pixels. */
const SMALLEST = 40;

/** Styles of settings on a phone: what can be pressed or typed into is large enough for a finger, and a cut word ends in dots. */
export const TOUCH_TARGETS = {
  "& button": { minHeight: SMALLEST, minWidth: SMALLEST },
  "& input, & select, & textarea:not([aria-hidden])": { minHeight: SMALLEST, boxSizing: "border-box" },
  "& select": { textOverflow: "ellipsis" },
} as const;
