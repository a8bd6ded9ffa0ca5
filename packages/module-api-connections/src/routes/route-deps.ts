import { z } from "zod";
import type { AccountService } from "../accounts/account-service.ts";
import type { SignInService } from "../accounts/sign-in-service.ts";
import type { ConnectionService } from "../connections/connection-service.ts";
import type { OperationService } from "../operations/operation-service.ts";

export interface RouteDeps {
  connections: ConnectionService;
  operations: OperationService;
  accounts: AccountService;
  signIns: SignInService;
  publicUrl: string;
}

export const ConnectionParams = z.object({ id: z.coerce.number().int().positive() });
