import { listCarried } from '@app/contracts/carried';
import { DEFAULT_OS, parseOs, type OperatingSystem } from '@app/contracts/key-system';
import { useIsHydrated } from './use-is-hydrated.ts';
import { useSearchParams } from './use-search-params.ts';

/** What the address and the browser say of a visitor. Nobody logs in. */
export interface Visitor {
  os: OperatingSystem;
  /** The device identifier that the app put into the link. */
  hwid: string | undefined;
  /** The app's token, passed along. */
  zone: string | undefined;
}

/** Reads `os`, `hwid` and `zone`. Until hydration the query is not looked at, so that both first renders agree. */
export function useVisitor(): Visitor {
  const [query] = useSearchParams();
  if (!useIsHydrated()) return { os: DEFAULT_OS, hwid: undefined, zone: undefined };

  return {
    os: parseOs(query.get('os') ?? undefined) ?? detectOs(navigator.userAgent, navigator.maxTouchPoints),
    hwid: query.get('hwid') || undefined,
    zone: query.get('zone') || undefined,
  };
}

/** Whom a plan can be for: a device and its zone, both there and well-formed. */
export interface Device {
  hwid: string;
  zone: string;
}

/** The device of the address, if it names a whole one. */
export function useDevice(): Device | undefined {
  const [query] = useSearchParams();
  const { hwid, zone } = Object.fromEntries(listCarried((name) => query.get(name)));

  return hwid && zone ? { hwid, zone } : undefined;
}

/** An iPad asks for desktop pages as a Mac does, but has touch points. */
export function detectOs(userAgent: string, maxTouchPoints: number): OperatingSystem {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (/Macintosh/.test(userAgent) && maxTouchPoints > 1) return 'ios';
  if (/Windows/.test(userAgent)) return 'windows';

  return DEFAULT_OS;
}
