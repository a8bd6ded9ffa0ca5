import type { Connect } from "../peer-client.ts";
import { connectOverStdio } from "./over-stdio.ts";

export const connect: Connect = ({ bridge, key }) => connectOverStdio(bridge, { OVEN_API_KEY: key });
