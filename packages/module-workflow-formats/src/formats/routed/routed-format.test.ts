import { describeFormat } from "../../shared/testing/format-suite.ts";
import { GOOD } from "./testing/malformed-routed.ts";

describeFormat({
  id: "routed-graph",
  title: "Routed graphs",
  document: JSON.parse(GOOD),
  full: GOOD,
  // A graph names agents, which are there before it.
  prepare: async (oven, key) => {
    for (const name of ["Router", "Clerk"])
      await oven.call("POST", "agents", { name, systemPrompt: "Go.", model: "openai:house-model" }, { key });
  },
});
