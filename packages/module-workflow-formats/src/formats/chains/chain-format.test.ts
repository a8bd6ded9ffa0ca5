import { describeFormat } from "../../shared/testing/format-suite.ts";
import { chainOf, executor } from "./testing/chain-story.ts";
import { GOOD } from "./testing/malformed-chains.ts";

describeFormat({
  id: "executor-chain",
  title: "Executor chains",
  document: chainOf([executor("one")], { workflow_id: "one" }),
  full: GOOD,
});
