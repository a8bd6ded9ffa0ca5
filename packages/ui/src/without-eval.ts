// Not all of zod, which most pages do without.
import { config } from "zod/v4/core";

// The page's policy forbids code made from text; without this each page would try once, to find that out.
config({ jitless: true });
