import { HWID_PATTERN, parseOs, ZONE_PATTERN } from './key-system.ts';

const READERS: Readonly<Record<string, (value: string) => string | undefined>> = {
  hwid: (value) => (HWID_PATTERN.test(value) ? value : undefined),
  zone: (value) => (ZONE_PATTERN.test(value) ? value : undefined),
  os: parseOs,
};

/**
 * How much of a device an address names: nothing, a device alone, or a device with a well-formed zone. The server renders
 * a page ahead of time for each, and writes which one it sent into `data-device` of the document.
 */
export const KNOWN_DEVICES = ['none', 'device', 'zoned'] as const;
export type KnownDevice = (typeof KNOWN_DEVICES)[number];

/**
 * How much of a device an address names.
 * @param find gives the value of a name in the query of the address
 */
export function knownDeviceIn(find: (name: string) => string | null): KnownDevice {
  if (!find('hwid')) return 'none';

  const { hwid, zone } = Object.fromEntries(listCarried(find));
  return hwid && zone ? 'zoned' : 'device';
}

/**
 * Whether an address says why its visitor was led there: it has the code of a refusal. The server marks the document
 * (`data-refused`), because what was rendered ahead of time does not say it.
 * @param find gives the value of a name in the query of the address
 */
export function namesRefusal(find: (name: string) => string | null): boolean {
  return ['e', 'r'].some((name) => find(name)?.startsWith('KS_'));
}

/** The names of the query parameters that every link within the site keeps. */
export const CARRIED = Object.keys(READERS);

/**
 * The query parameters that every link within the site keeps: device, zone and operating system. Malformed values are
 * left out.
 * @param find gives the value of a name in the query of the present page
 */
export function listCarried(find: (name: string) => string | null): [name: string, value: string][] {
  return Object.entries(READERS).flatMap(([name, read]) => {
    const value = read(find(name) ?? '');
    return value === undefined ? [] : [[name, value]];
  });
}
