/** Hosts as people write them: between commas, spaces or line ends. */
export function toHosts(text: string): string[] {
  return text.split(/[\s,]+/).filter((host) => host !== "");
}
