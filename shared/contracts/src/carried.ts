import { HWID_PATTERN, parseOs, ZONE_PATTERN } from './key-system.ts';

const READERS: Readonly<Record<string, (value: string) => string | undefined>> = {
  hwid: (value) => (HWID_PATTERN.test(value) ? value : undefined),
  zone: (value) => (ZONE_PATTERN.test(value) ? value : undefined),
  os: parseOs,
};

/**
 * What every address within the site carries along of its visitor: device, zone and system. What is malformed goes no further.
 * @param find looks a name up in the query of an address
 */
export function listCarried(find: (name: string) => string | null): [name: string, value: string][] {
  return Object.entries(READERS).flatMap(([name, read]) => {
    const value = read(find(name) ?? '');
    return value === undefined ? [] : [[name, value]];
  });
}
