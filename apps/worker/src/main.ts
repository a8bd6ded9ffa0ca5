import { enableCompileCache } from "node:module";
import { main } from "./index.ts";

/* The worker from its source, for tests and for services that run node directly; `oven worker` is the built one. */
enableCompileCache();
await main();
