import createCache from "@emotion/cache";

/** Styles are put into the page as it is used; the page's policy takes only those with its nonce. */
export const styleCache = createCache({ key: "oven", ...nonceOfPage() });

/** Empty where the page has no such policy. */
export function nonceOfPage(): { nonce?: string } {
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
  return nonce === undefined || nonce === "" ? {} : { nonce };
}
