import fc from "fast-check";

/** The same cases each time; `pnpm properties` draws others. Exploring is a search for faults, not a reason for a test to fail now and then. */
fc.configureGlobal({ seed: Number(process.env.OVEN_PROPERTY_SEED ?? 1) });
