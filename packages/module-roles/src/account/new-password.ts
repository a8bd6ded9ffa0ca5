import { z } from "zod";

/** At most 128: hashing takes time in proportion, and so does better-auth's own limit. */
export const NewPasswordSchema = z.string().min(10, "at least 10 characters").max(128);
