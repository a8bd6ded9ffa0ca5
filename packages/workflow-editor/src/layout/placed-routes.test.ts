import { expect, it } from "vitest";
import { toGraph } from "../graph/to-graph.ts";
import { PlacedRoutes } from "./placed-routes.ts";
import { placeNodes } from "./placement.ts";
import { runsUnder } from "./route-around.ts";

const definition = (positions: Record<string, { x: number; y: number }>) => ({
  initial: "a",
  states: {
    a: { invoke: { src: "core.log", input: { message: "a" }, onDone: "c" } },
    b: { invoke: { src: "core.log", input: { message: "b" }, onDone: "c" } },
    c: { type: "final" },
  },
  meta: { positions },
});

it("leads a line around a card that stands in its way, and keeps ways that hold as the same objects", () => {
  const model = toGraph(definition({ a: { x: 0, y: 0 }, b: { x: 320, y: -20 }, c: { x: 700, y: 0 } }));
  const placement = placeNodes(model, null);
  const router = new PlacedRoutes();
  const routes = router.routesOf(model, placement);
  const [, route] = [...routes].find(([id]) => id.startsWith("a→")) ?? [];
  expect(route).toBeDefined();
  expect(runsUnder(route ?? [], [{ x: 320, y: -20, width: 236, height: placement.get("b")?.height ?? 0 }])).toBe(false);
  expect(router.routesOf(model, placeNodes(model, null))).toBe(routes);
});

it("leaves lines alone that pass no card", () => {
  const model = toGraph(definition({ a: { x: 0, y: 0 }, b: { x: 320, y: 400 }, c: { x: 700, y: 0 } }));
  const routes = new PlacedRoutes().routesOf(model, placeNodes(model, null));
  expect([...routes.keys()].filter((id) => id.startsWith("a→"))).toEqual([]);
});

it("keeps the layout's ways, but for one that leads under a card", () => {
  const model = toGraph(definition({ a: { x: 0, y: 0 }, b: { x: 320, y: -20 }, c: { x: 700, y: 0 } }));
  const placement = placeNodes(model, null);
  const [id = ""] = model.edges.filter(({ source }) => source === "a").map((edge) => edge.id);
  const around = [
    { x: 236, y: 27 },
    { x: 260, y: 27 },
    { x: 260, y: 300 },
    { x: 680, y: 300 },
    { x: 680, y: 22 },
    { x: 700, y: 22 },
  ];
  const under = [
    { x: 236, y: 27 },
    { x: 700, y: 27 },
  ];
  const router = new PlacedRoutes();
  expect(router.routesOf(model, placement, new Map([[id, around]])).get(id)).toBe(around);
  const mended = router.routesOf(model, placement, new Map([[id, under]])).get(id);
  expect(mended).not.toBe(under);
  expect(runsUnder(mended ?? [], [{ x: 320, y: -20, width: 236, height: placement.get("b")?.height ?? 0 }])).toBe(
    false,
  );
});

it("leads a line to a container where the layout ends it elsewhere than at its handle", () => {
  const model = toGraph(definition({ a: { x: 0, y: 0 }, b: { x: 320, y: -20 }, c: { x: 700, y: 0 } }));
  const [id = ""] = model.edges.filter(({ source }) => source === "a").map((edge) => edge.id);
  const elsewhere = [
    { x: 236, y: 90 },
    { x: 236, y: 400 },
    { x: 700, y: 400 },
  ];
  const route = new PlacedRoutes().routesOf(model, placeNodes(model, null), new Map([[id, elsewhere]])).get(id);
  expect(route?.[0]).toEqual({ x: 236, y: 27 });
});
