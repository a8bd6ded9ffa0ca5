import { it } from "vitest";
import { expectSoundGraphs } from "../../importing/testing/expect-sound-graphs.ts";
import { graphs } from "./testing/generated-graphs.ts";

it("generated graphs of LangGraph lose nothing, and become drafts with placeholders as their only problems", () =>
  expectSoundGraphs(graphs));
