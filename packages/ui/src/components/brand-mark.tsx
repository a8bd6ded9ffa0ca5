import type { ReactElement } from "react";

/** An oven's arch with a flame. Takes the text's colour. */
export function BrandMark({ size = 24 }: { size?: number }): ReactElement {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path d="M5 26V15a11 11 0 0 1 22 0v11" stroke="currentColor" strokeWidth={2.8} strokeLinecap="round" />
      <path
        d="M16 26.5c-3 0-4.900-1.900-4.900-4.300 0-3.200 3.200-4 3.800-7.400 3.500 1.600 6 4.500 6 7.400 0 2.400-1.900 4.300-4.900 4.300z"
        fill="#F08A3C"
      />
    </svg>
  );
}
