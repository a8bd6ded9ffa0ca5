/** The version of this code, as in package.json. */
export const OVEN_VERSION = "0.1.0";
