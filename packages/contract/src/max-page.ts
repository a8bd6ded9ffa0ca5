/** Rows of one page of a list. */
export const MAX_PAGE = 1_000;
