/** What is used of html-to-text, which has no types of its own. */
declare module "html-to-text" {
  /** @throws Error where a selector cannot be read */
  export function compile(options?: {
    selectors?: readonly { selector: string; format: "skip" }[];
  }): (html: string) => string;
}
