import { HWID_PATTERN, parseOs, trimId, ZONE_PATTERN } from './key-system.ts';

const READERS: Readonly<Record<string, (value: string) => string | undefined>> = {
  hwid: (value) => HWID_PATTERN.exec(trimId(value))?.[0],
  zone: (value) => ZONE_PATTERN.exec(trimId(value))?.[0],
  os: parseOs,
};

/** The part of `URLSearchParams` that this file needs; its package has no types of browsers. */
type Query = { get: (name: string) => string | null; getAll: (name: string) => string[] };

/**
 * How much of a device an address names: nothing, a device alone, or a device with a well-formed zone. The server renders
 * a page ahead of time for each, and writes which one it sent into `data-device` of the document.
 */
export const KNOWN_DEVICES = ['none', 'device', 'zoned'] as const;
export type KnownDevice = (typeof KNOWN_DEVICES)[number];

export function knownDeviceIn(query: Query): KnownDevice {
  const { hwid, zone } = deviceIn(query);
  return hwid ? (zone ? 'zoned' : 'device') : 'none';
}

/** The device and the zone of an address. A broken part leaves neither: the API refuses such an address, too. */
export function deviceIn(query: Query): { hwid?: string; zone?: string } {
  return findInvalidParam(query) ? {} : Object.fromEntries(listDeviceParams(query));
}

/** The parameter of the device that is malformed or comes twice; undefined when there is none. */
export function findInvalidParam(query: Query): 'hwid' | 'zone' | undefined {
  return (['hwid', 'zone'] as const).find((name) => query.getAll(name).join('') && !readParam(query, name));
}

/**
 * Whether an address says why its visitor was led there, or is broken: then the page tells a refusal. The server marks
 * the document (`data-refused`), because what was rendered ahead of time does not say it.
 */
export function namesRefusal(query: Query): boolean {
  return findInvalidParam(query) !== undefined || ['e', 'r'].some((name) => query.get(name)?.startsWith('KS_'));
}

/** The query parameters that every link within the site keeps: device, zone and operating system. */
export const DEVICE_PARAMS = Object.keys(READERS);

/** Those of an address. Values that are malformed or come twice are left out. */
export function listDeviceParams(query: Query): [name: string, value: string][] {
  return DEVICE_PARAMS.flatMap((name) => {
    const value = readParam(query, name);
    return value === undefined ? [] : [[name, value]];
  });
}

function readParam(query: Query, name: string): string | undefined {
  const [value = '', another] = query.getAll(name);
  return another === undefined ? READERS[name]?.(value) : undefined;
}
