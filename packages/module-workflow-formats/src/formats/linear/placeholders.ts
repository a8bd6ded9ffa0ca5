import { getOwn, type Json, type JsonObject } from "@oven/contract";

export interface Placeholder {
  /** Of the container's definition. */
  uuid: string;
  /** Characters before it. */
  position: number;
  /** As it is written. */
  text: string;
}

const PLACEHOLDER = /<<data\.([^<>\s]{1,100})>>/g;

/** The containers that a prompt asks for, in order, each time it does. */
export function findPlaceholders(prompt: string): Placeholder[] {
  return [...prompt.matchAll(PLACEHOLDER)].map((match) => ({
    uuid: (match[1] ?? "").toLowerCase(),
    position: match.index,
    text: match[0],
  }));
}

/** The prompt with other containers; everything else stays as it is. */
export function renamePlaceholders(prompt: string, toOther: (uuid: string) => string): string {
  return prompt.replace(PLACEHOLDER, (_text, uuid: string) => `<<data.${toOther(uuid)}>>`);
}

/**
 * The prompt as our template: placeholders read their container, everything else is text. What is read stays text, whatever
 * it looks like.
 * @param pipe `full`: the content; `compressed`: `{uuid, summary}`
 */
export function toPromptTemplate(prompt: string, pipe: "full" | "compressed"): Json {
  const found = findPlaceholders(prompt);
  if (found.length === 0) return { $literal: prompt };
  let template = "";
  let from = 0;
  for (const { uuid, position, text } of found) {
    template += `${escapeTemplate(prompt.slice(from, position))}{{ $.data["${uuid}"] | ${pipe} }}`;
    from = position + text.length;
  }
  return template + escapeTemplate(prompt.slice(from));
}

/** Text that a template shows as it stands. */
export const escapeTemplate = (text: string): string => text.replaceAll("{{", "\\{{");

const READ = /\{\{ \$\.data\["([^"]+)"\] \| (?:full|compressed) \}\}/g;

/** The containers that a template of ours reads. */
export function containersIn(template: string): string[] {
  return [...new Set([...template.matchAll(READ)].map((match) => match[1] ?? ""))];
}

/** What a template of ours becomes with these contents by container. */
export function fillTemplate(template: string, contents: JsonObject): string {
  return template.replace(/\\\{\{|\{\{ \$\.data\["([^"]+)"\] \| (?:full|compressed) \}\}/g, (_text, uuid) => {
    if (typeof uuid !== "string") return "{{";
    const content = getOwn(contents, uuid) ?? "";
    return typeof content === "string" ? content : JSON.stringify(content);
  });
}
