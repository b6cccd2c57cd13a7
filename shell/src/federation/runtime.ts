import { SHELL } from '@app/contracts/unit';
import { ModuleFederation } from '@module-federation/enhanced/runtime';

/**
 * The federation runtime of this page. It is made here and not by `createInstance`, which asks the browser's storage at
 * every start whether the page is debugged; that takes a slow phone 20 ms.
 */
export const runtime = new ModuleFederation({ name: SHELL, remotes: [] });
