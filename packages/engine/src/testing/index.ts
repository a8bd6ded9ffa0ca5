export { EngineHarness } from "./engine-harness.ts";
export { type Sweep, sweepEscapes } from "./escapes/sweep-escapes.ts";
export { MemoryStore, type StoredReview } from "./memory-store.ts";
export { type ScriptedNode, ScriptedNodes } from "./scripted-nodes.ts";
export { SimulatedClock, settle } from "./simulated-clock.ts";
export { storeContract } from "./store-contract.ts";
