import { SHELL } from '@app/contracts/unit';
import { ModuleFederation } from '@module-federation/runtime-core';

/**
 * The federation runtime of this page. It is taken from its core: the package for hosts of every kind around it adds a
 * question to the browser's storage at every start, which takes a slow phone 20 ms.
 */
export const runtime = new ModuleFederation({ name: SHELL, remotes: [] });
