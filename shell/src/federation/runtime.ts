import { SHELL } from '@app/contracts/unit';
import { ModuleFederation } from '@module-federation/enhanced/runtime';

/**
 * The federation runtime of this page. It is made here and not by `init`, so that the build can leave out the rest of that
 * file, which asks the browser's storage at every start (`tools/build/common-config.ts`).
 */
export const runtime = new ModuleFederation({ name: SHELL, remotes: [] });
