/** Never HTML, and no inline style, which a strict Content-Security-Policy refuses. */
type Properties<E> = Partial<Omit<E, "style" | "attributes" | "innerHTML" | "outerHTML">> & {
  attributes?: Record<string, string>;
};

/** An element; text is text, never HTML, so that nothing a model wrote becomes part of the page. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { attributes = {}, ...properties }: Properties<HTMLElementTagNameMap[Tag]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** An icon of one path, 24 units wide. */
export function icon(path: string): SVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const drawn = document.createElementNS(space, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  drawn.setAttribute("d", path);
  svg.append(drawn);
  return svg;
}
