import { SHELL } from '@app/contracts/unit';
import { ModuleFederation } from '@module-federation/enhanced/runtime';

/** Not made by `init`, so that the build leaves out the rest of that file, which asks the storage at every start. */
export const runtime = new ModuleFederation({ name: SHELL, remotes: [] });
