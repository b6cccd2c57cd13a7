import { GRANT_PARAMETER, PIN_PARAMETER } from '@app/contracts/qa';
import { pinChangeSchema } from '@app/contracts/qa-requests';
import type { Unit } from '@app/contracts/release';
import * as v from 'valibot';

export type Pins = Readonly<Record<Unit, string>>;

/** The path of a page: no other site, no file, nothing that a browser reads in two ways. */
const PAGE = /^\/[A-Za-z0-9/_-]*(index\.html)?$/;

/** An address that pins, taken apart. */
export interface PinAddress {
  /** The same address without the pins. All other parameters are as they were, byte for byte. */
  rest: string;
  pins: string;
  grant: string | undefined;
}

/**
 * Takes the pins out of an address.
 * @param url path and query, as they came
 * @returns undefined when it pins nothing, or is not the address of a page of this site
 */
export function parsePinAddress(url: string): PinAddress | undefined {
  const [, path = '', query] = /^([^?#]*)\??([^#]*)/.exec(url) ?? [];
  // Two slashes at the begin would lead to another site.
  const page = path.replace(/\/+/g, '/');
  if (!PAGE.test(page) || query === undefined) return undefined;

  const parts = query.split('&').map((text) => ({ text, ...readParameter(text) }));
  const pins = parts.find(({ name }) => name === PIN_PARAMETER)?.value;
  if (pins === undefined) return undefined;

  const kept = parts.filter(({ name }) => name !== PIN_PARAMETER && name !== GRANT_PARAMETER).map(({ text }) => text);
  return {
    rest: kept.length > 0 ? `${page}?${kept.join('&')}` : page,
    pins,
    grant: parts.find(({ name }) => name === GRANT_PARAMETER)?.value,
  };
}

/**
 * Checks the address of a page that somebody wants to share, and removes pins that are in it.
 * @returns undefined when it is not the address of a page of this site
 */
export function parsePageAddress(url: string): string | undefined {
  return parsePinAddress(`${url}${url.includes('?') ? '&' : '?'}${PIN_PARAMETER}=`)?.rest;
}

/**
 * Reads a list of pins such as `key-system@1.4.0,tools@canary`. An empty list and `none` pin nothing.
 * @returns undefined when it is none
 */
export function parsePins(list: string): Pins | undefined {
  if (list === '' || list === 'none') return {};

  const entries = list.split(',').map((text) => text.split('@'));
  if (entries.some(({ length }) => length !== 2)) return undefined;

  const result = v.safeParse(pinChangeSchema.entries.pins, Object.fromEntries(entries));
  // A unit that was named twice, and a name that is none, are missing in it.
  return result.success && Object.keys(result.output).length === entries.length ? result.output : undefined;
}

/** Writes pins as a list, always in the same order. */
export function formatPins(pins: Pins): string {
  return Object.entries(pins)
    .map((pair) => pair.join('@'))
    .sort()
    .join(',');
}

function readParameter(text: string): { name: string; value: string } {
  const [name, value] = [...new URLSearchParams(text)][0] ?? ['', ''];
  return { name, value };
}
