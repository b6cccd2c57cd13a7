import { HWID_PATTERN, parseOs, ZONE_PATTERN } from './key-system.ts';

const READERS: Readonly<Record<string, (value: string) => string | undefined>> = {
  hwid: (value) => (HWID_PATTERN.test(value) ? value : undefined),
  zone: (value) => (ZONE_PATTERN.test(value) ? value : undefined),
  os: parseOs,
};

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
