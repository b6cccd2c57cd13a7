import type { LazyPage } from '@app/platform';
import type { ComponentType } from 'react';

/** Gets what an address without a device shows ready together with the page that may show it, so that both render at once. */
export async function withBegin(page: ComponentType, begin: LazyPage): Promise<ComponentType> {
  const isNamed = typeof location === 'object' && new URLSearchParams(location.search).has('hwid');
  if (!isNamed)
    await begin.preload().catch((error: unknown) => {
      begin.retry();
      throw error;
    });
  return page;
}
