import { readdirSync, readFileSync } from "node:fs";
import { type CatalogEntry, validateDefinition } from "@oven/engine";
import { expect, it } from "vitest";
import { coreNodes } from "../nodes/core-nodes.ts";

const folder = new URL("../../../engine/src/testing/patterns/definitions/", import.meta.url);
const nodes = new Map(coreNodes.map((node) => [node.id, node as unknown as CatalogEntry])); // cast: a catalogue reads no more of a node
const catalog = { get: (id: string) => nodes.get(id), names: () => [...nodes.keys()] };

it.each(readdirSync(folder))("%s is valid with the nodes of the product", (file) => {
  const { problems } = validateDefinition(JSON.parse(readFileSync(new URL(file, folder), "utf8")), catalog);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
});
