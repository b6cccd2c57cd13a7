import { knownDeviceIn, type KnownDevice } from '@app/contracts/device-params';
import { useSearchParams as useRouterSearchParams } from 'react-router-dom';
import { useOnceHydrated } from './use-is-hydrated.ts';

let rendered: () => KnownDevice = () => 'none';

/**
 * Says for which addresses the server renders. It calls this before each page, and learns whether the page has asked.
 */
export function provideKnownDevice(provided: () => KnownDevice): void {
  rendered = provided;
}

/**
 * How much of a device the address names. Unlike the device itself this is known in the first render, because the server
 * has rendered the page for each answer. So a page can show from the start what it is going to show.
 */
export function useKnownDevice(): KnownDevice {
  const [query] = useRouterSearchParams();
  return useOnceHydrated(() => knownDeviceIn(query), readRendered);
}

/** In the browser: for which addresses the HTML of this document was rendered. */
function readRendered(): KnownDevice {
  if (typeof document === 'undefined') return rendered();

  const { device } = document.documentElement.dataset;
  return device === 'device' || device === 'zoned' ? device : 'none';
}
