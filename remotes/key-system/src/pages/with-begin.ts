import type { LazyPage } from '@app/platform';
import type { ComponentType } from 'react';

export function isDeviceNamed(): boolean {
  return typeof location === 'object' && new URLSearchParams(location.search).has('hwid');
}

/** Gets what an address without a device shows ready together with the page that may show it, so that both render at once. */
export async function withBegin(page: ComponentType, begin: LazyPage): Promise<ComponentType> {
  if (!isDeviceNamed())
    await begin.preload().catch((error: unknown) => {
      begin.retry();
      throw error;
    });
  return page;
}
