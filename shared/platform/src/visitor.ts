import { deviceIn, knownDeviceIn, type KnownDevice } from '@app/contracts/device-params';
import { DEFAULT_OS, parseOs, type OperatingSystem } from '@app/contracts/key-system';
import { useSyncExternalStore } from 'react';
import { useSearchParams as useRouterSearchParams, type NavigateOptions } from 'react-router-dom';

/**
 * False on the server and in the first render of a page from the server, true afterwards.
 * Anything that depends on query, device, clock or storage waits until it is true, so that server and browser render
 * the same.
 */
export function useIsHydrated(): boolean {
  return useOnceHydrated(
    () => true,
    () => false,
  );
}

/**
 * A value that the browser knows and the server does not. Where both say the same, nothing renders again.
 * @param known gives the value in the browser; numbers, texts and the like, because it is compared in each render
 * @param rendered gives what the server has rendered with
 */
export function useOnceHydrated<T>(known: () => T, rendered: () => T): T {
  return useSyncExternalStore(subscribeToNothing, known, rendered);
}

function subscribeToNothing() {
  return () => undefined;
}

const NO_QUERY = new URLSearchParams();

/** Changes the query. It is told the one of the address, which is never empty by mistake. */
type SetQuery = (change: (query: URLSearchParams) => URLSearchParams, options?: NavigateOptions) => void;

/**
 * The query of the address, and what changes it. The query is empty until hydration, because a page is rendered once for
 * all queries; what was chosen before is told in that very moment.
 */
export function useSearchParams(): readonly [URLSearchParams, SetQuery] {
  const [query, setQuery] = useRouterSearchParams();
  return [useIsHydrated() ? query : NO_QUERY, setQuery];
}

let readRenderedDevice: () => KnownDevice = () => 'none';

/** Says for which addresses the server renders. It calls this before each page, and learns whether the page has asked. */
export function provideKnownDevice(provided: () => KnownDevice): void {
  readRenderedDevice = provided;
}

/**
 * How much of a device the address names. Unlike the device itself this is known in the first render, because the server
 * has rendered the page for each answer. So a page can show from the start what it is going to show.
 */
export function useKnownDevice(): KnownDevice {
  const [query] = useRouterSearchParams();
  return useOnceHydrated(() => knownDeviceIn(query), readServerState);
}

/** In the browser: for which addresses the HTML of this document was rendered. */
function readServerState(): KnownDevice {
  if (typeof document === 'undefined') return readRenderedDevice();

  const { device } = document.documentElement.dataset;
  return device === 'device' || device === 'zoned' ? device : 'none';
}

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

  const os = parseOs(query.get('os') ?? undefined) ?? detectOs(navigator.userAgent, navigator.maxTouchPoints);
  return { os, hwid: undefined, zone: undefined, ...deviceIn(query) };
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

/** The operating system that a browser reports. An iPad reports itself as a Mac, but has touch points. */
export function detectOs(userAgent: string, maxTouchPoints: number): OperatingSystem {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (/Macintosh/.test(userAgent) && maxTouchPoints > 1) return 'ios';
  if (/Windows/.test(userAgent)) return 'windows';

  return DEFAULT_OS;
}
