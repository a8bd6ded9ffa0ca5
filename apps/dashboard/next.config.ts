import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  devIndicators: false,
  // Types are checked by `tsc -p apps/dashboard`, together with everything else.
  // What is looked for beside `/api`; our own server does not ask Next for it.
  rewrites: async () => [
    { source: "/.well-known/:file(oauth-[a-z-]+)/:path*", destination: "/api/.well-known/:file/:path*" },
    { source: "/.well-known/oven-receipts.json", destination: "/api/.well-known/oven-receipts.json" },
    { source: "/v1/:path*", destination: "/api/v1/:path*" },
  ],
  typescript: { ignoreBuildErrors: true },
};

export default config;
