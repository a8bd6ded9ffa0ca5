import { MemoryStore } from "./memory-store.ts";
import { SimulatedClock } from "./simulated-clock.ts";
import { storeContract } from "./store-contract.ts";

storeContract("the in-memory store", async () => {
  const store = new MemoryStore(new SimulatedClock());
  return { store, ids: store.ids };
});
