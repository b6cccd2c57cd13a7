import { GRANT_PARAMETER, PIN_PARAMETER } from '@app/contracts/qa';
import { formatPins, type Pins } from './pin-addresses.ts';
import type { QaSigner } from './qa-signer.ts';

const GRANT = /^([0-9a-z]{1,10})\.([A-Za-z0-9_-]{43})$/;

/**
 * Makes a share link: an address with pins, and a grant that covers these pins and nothing else.
 * @param page path and query of a page, without pins
 * @param until when the link ends, in epoch milliseconds
 */
export function makeShareLink(signer: QaSigner, page: string, pins: Pins, until: number): string {
  const time = until.toString(36);
  const grant = `${time}.${signer.sign('share', `${time}|${formatPins(pins)}`)}`;
  const join = page.includes('?') ? '&' : '?';
  return `${page}${join}${PIN_PARAMETER}=${formatPins(pins)}&${GRANT_PARAMETER}=${grant}`;
}

/**
 * Reads a grant.
 * @returns when it ends, in epoch milliseconds; undefined when we have not signed it for these pins
 */
export function readGrant(signer: QaSigner, grant: string, pins: Pins): number | undefined {
  const [, time = '', signature = ''] = GRANT.exec(grant) ?? [];
  return signer.isSigned('share', `${time}|${formatPins(pins)}`, signature) ? Number.parseInt(time, 36) : undefined;
}
