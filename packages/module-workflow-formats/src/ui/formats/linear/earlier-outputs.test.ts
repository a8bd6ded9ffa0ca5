import type { LinearStep, LinearTrigger } from "@oven/contract/formats/linear.ts";
import { describe, expect, it } from "vitest";
import { earlierOutputs, moved } from "./earlier-outputs.ts";

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const step = (n: number, type = "custom_llm") =>
  ({ uuid: id(n), type, name: `Step ${n}`, output_datacontainer_uuid: `${id(n)}-out` }) as LinearStep; // cast: what is not looked at is left out
const trigger = { output_datacontainer_uuid: "of-the-trigger" } as LinearTrigger; // cast: as above
const steps = [step(1), step(2, "stop_checker"), step(3), step(4)];

describe("outputs that a step's prompt may ask for", () => {
  it("are the trigger's and those of earlier steps, never its own or a later one's [000-019]", () => {
    const titles = (n: number) => earlierOutputs({ trigger, steps }, id(n)).map(({ title }) => title);
    expect(titles(1)).toEqual(["What the trigger brings"]);
    expect(titles(3)).toEqual(["What the trigger brings", "Step 1"]);
    expect(titles(4)).toEqual(["What the trigger brings", "Step 1", "Step 3"]);
    expect(earlierOutputs({ trigger: null, steps }, id(1))).toEqual([]);
  });

  it("are written as the engine reads them [000-018]", () => {
    expect(earlierOutputs({ trigger, steps }, id(1))[0]?.placeholder).toBe("<<data.of-the-trigger>>");
  });
});

it("moves a step by one place, and not out of the list", () => {
  expect(moved(steps, id(3), -1)).toEqual([id(1), id(3), id(2), id(4)]);
  expect(moved(steps, id(3), 1)).toEqual([id(1), id(2), id(4), id(3)]);
  expect(moved(steps, id(1), -1)).toEqual(steps.map(({ uuid }) => uuid));
  expect(moved(steps, id(4), 1)).toEqual(steps.map(({ uuid }) => uuid));
});
