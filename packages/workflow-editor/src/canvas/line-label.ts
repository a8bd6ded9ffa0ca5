import { t } from "@oven/i18n";
import type { GraphEdge, GraphModel } from "../graph/graph-model.ts";
import { START } from "../graph/to-graph.ts";

/** What a screen reader says of lines: the names their ends are shown under, not ids. */
export function lineLabels({ nodes }: Pick<GraphModel, "nodes">): (edge: GraphEdge, taken: boolean) => string {
  const names = new Map(nodes.map(({ id, label }) => [id, label]));
  const nameOf = (id: string): string => (id === START ? t("the start") : names.get(id) || id);
  return ({ source, target, label }, taken) =>
    [
      t("Line from {{nameOf}} to {{nameOf2}}", { nameOf: nameOf(source), nameOf2: nameOf(target) }),
      label,
      taken ? t("taken by the run") : "",
    ]
      .filter((part) => part !== "")
      .join(", ");
}
