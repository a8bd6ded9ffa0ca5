import { main } from "./index.ts";

/* The server alone, without a build: for services that run node directly, and for tests of the built product. */
const dev = process.argv.includes("--dev");
Object.assign(process.env, { NODE_ENV: dev ? "development" : "production" });
await main({ dev, startedAt: Date.now() });
