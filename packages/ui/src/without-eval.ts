import { config } from "zod";

// The page's policy forbids code made from text; without this each page would try once, to find that out.
config({ jitless: true });
