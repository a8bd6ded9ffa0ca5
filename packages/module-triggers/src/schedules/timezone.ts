import { z } from "zod";

const DEFAULT_ZONE = "UTC";

/** IANA name of a time zone. */
export const TimezoneSchema = z.string().min(1).max(100).default(DEFAULT_ZONE);
