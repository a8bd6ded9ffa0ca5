import { expect, it } from "vitest";
import { createElement } from "./create-element.ts";
import { jsxDEV } from "./jsx-dev-runtime.ts";
import { jsx, jsxs } from "./jsx-runtime.ts";

const HIDDEN = "a\u202eb";
const SHOWN = "a⟨U+202E⟩b";

it("shows characters that nobody sees in texts, however an element is made", () => {
  const made = [
    jsx("p", { children: HIDDEN }),
    jsxs("p", { children: ["x", HIDDEN, 1] }),
    jsxDEV("p", { children: HIDDEN }, undefined, false, undefined, undefined),
    createElement("p", { id: "a" }, HIDDEN),
    createElement("p", { children: HIDDEN }),
  ];
  for (const element of made) expect(JSON.stringify(element.props)).toContain(SHOWN);
});

it("shows them in names beside the children, and leaves values of inputs as they are", () => {
  const { props } = jsx("input", { "aria-label": HIDDEN, title: HIDDEN, label: HIDDEN, value: HIDDEN });
  expect(props).toEqual({ "aria-label": SHOWN, title: SHOWN, label: SHOWN, value: HIDDEN });
});

it("hands on the same properties where there is nothing to show", () => {
  const props = { children: ["plain", null], title: "text" };
  expect(jsxs("p", props).props).toEqual(props);
  const children = ["plain"];
  expect(jsxs("p", { children }).props).toHaveProperty("children", children);
});
