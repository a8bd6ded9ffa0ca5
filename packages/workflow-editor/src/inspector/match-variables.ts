import type { Variable } from "./variables.ts";

/** The variables that have all words of a search in them; those whose path begins so come first. */
export function matchVariables(variables: readonly Variable[], sought: string): Variable[] {
  const words = sought
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = variables.filter(({ path, group, description }) => {
    const text = `${path} ${group} ${description ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const [first = ""] = words;
  const begins = ({ path }: Variable): boolean =>
    path
      .toLowerCase()
      .replace(/^\$\.?/, "")
      .startsWith(first.replace(/^\$\.?/, ""));
  return first === "" ? found : [...found.filter(begins), ...found.filter((variable) => !begins(variable))];
}
