import type { AttemptLimit } from "./attempts.ts";
import { placeOf, toNetwork } from "./caller-place.ts";

/**
 * Failed passwords that cost no wait: of an account from one network, of an account from everywhere, from one public address,
 * and of an account on a device that it has signed in on.
 */
const FREE = { accountAtNetwork: 5, account: 30, address: 50, device: 5 };

/** What an attempt with a password counts for, of a device that the account has not signed in on. */
export function limitsOf(account: string, address: string | undefined): AttemptLimit[] {
  const network = address === undefined ? "" : toNetwork(address);
  const place = placeOf(address);
  return [
    { key: `sign-in ${account} ${network}`, free: FREE.accountAtNetwork },
    { key: `sign-in ${account}`, free: FREE.account },
    ...(place === undefined ? [] : [{ key: `sign-in at ${place}`, free: FREE.address }]),
  ];
}

/** Of a known device alone: neither guesses from elsewhere hold it up, nor do its own hold up others. */
export function limitsOfDevice(account: string, device: string): AttemptLimit[] {
  return [{ key: `sign-in ${account} on ${device}`, free: FREE.device }];
}
