import { deviceIn } from '@app/contracts/device-params';
import { DEFAULT_OS, parseOs, type OperatingSystem } from '@app/contracts/key-system';
import { useIsHydrated } from './use-is-hydrated.ts';
import { useSearchParams } from './use-search-params.ts';

/** What the address and the browser tell about a visitor. There are no accounts. */
export interface Visitor {
  os: OperatingSystem;
  /** The device identifier that the app put into the link. */
  hwid: string | undefined;
  /** The token that the app put into the link. */
  zone: string | undefined;
}

/**
 * Reads `os`, `hwid` and `zone`, with neither of the last two when one is broken. Before hydration it ignores the query,
 * so that server and browser render the same.
 */
export function useVisitor(): Visitor {
  const [query] = useSearchParams();
  if (!useIsHydrated()) return { os: DEFAULT_OS, hwid: undefined, zone: undefined };

  return {
    os: parseOs(query.get('os') ?? undefined) ?? detectOs(navigator.userAgent, navigator.maxTouchPoints),
    hwid: undefined,
    zone: undefined,
    ...deviceIn(query),
  };
}

/** A device and its zone, both present and well-formed. */
export interface Device {
  hwid: string;
  zone: string;
}

/** The device in the address, or undefined when a part of it is missing or broken. */
export function useDevice(): Device | undefined {
  const [query] = useSearchParams();
  const { hwid, zone } = deviceIn(query);

  return hwid && zone ? { hwid, zone } : undefined;
}

/**
 * The operating system that a browser reports. An iPad reports itself as a Mac, but has touch points.
 * @returns Android for any system that is not known
 */
export function detectOs(userAgent: string, maxTouchPoints: number): OperatingSystem {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (/Macintosh/.test(userAgent) && maxTouchPoints > 1) return 'ios';
  if (/Windows/.test(userAgent)) return 'windows';

  return DEFAULT_OS;
}
