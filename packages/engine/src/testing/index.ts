export { EngineHarness } from "./engine-harness.ts";
export { type Sweep, sweepEscapes } from "./escapes/sweep-escapes.ts";
export { scopeOf } from "./expression-scope.ts";
export { generatedDefinitions } from "./generated-definitions.ts";
export { MemoryStore, type StoredReview } from "./memory-store.ts";
export { type ScriptedNode, ScriptedNodes } from "./scripted-nodes.ts";
export { SimulatedClock, settle } from "./simulated-clock.ts";
export { simulatedCatalog } from "./simulation/simulated-nodes.ts";
export { commitOf, storeContract } from "./store-contract.ts";
