/** Any JSON value. Run data is exact: NUL, lone surrogates and key order are kept. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
