/** Everything of `drizzle-orm/pg-core`, for the reason that `drizzle.ts` gives. */
export * from "drizzle-orm/pg-core";
