import { z } from "zod";

export const may = (action: string) => ({ permission: `linear-workflows.${action}` });
export const Uuid = z.uuid().transform((text) => text.toLowerCase());
export const One = z.object({ uuid: Uuid });
