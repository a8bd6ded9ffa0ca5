import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  devIndicators: false,
  // Types are checked by `tsc -p apps/dashboard`, together with everything else.
  typescript: { ignoreBuildErrors: true },
};

export default config;
