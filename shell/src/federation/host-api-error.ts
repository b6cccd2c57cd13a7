import { isHostApiMet } from '@app/contracts/host-api-fit';
import type { ResolvedUnit } from '@app/contracts/resolution';
import { HOST_API_VERSION, type Unit } from '@app/contracts/unit';

/** A remote requires what the shell of this page does not give. */
export class HostApiError extends Error {
  override readonly name = 'HostApiError';
}

/** @throws HostApiError when it requires another major version than the shell provides, or a higher minor */
export function requireHostApi({
  unit,
  version,
  contract,
}: { unit: Unit } & Pick<ResolvedUnit, 'version' | 'contract'>): void {
  if (contract && !isHostApiMet(HOST_API_VERSION, contract))
    throw new HostApiError(`${unit}@${version} requires host API ${contract}, the shell provides ${HOST_API_VERSION}`);
}

/** Refuses every other name by an error, which says more than the `undefined` that its importer would call. */
export function refuseUnknownNames<T extends object>(packageName: string, exported: T): T {
  const others = new Proxy(Object.create(null) as object, {
    get(_, name) {
      // Bundlers and promises ask for these of anything.
      if (typeof name === 'symbol' || ['__esModule', 'default', 'then'].includes(name)) return undefined;
      throw new HostApiError(`${packageName} has no ${name}`);
    },
  });
  return Object.create(others, Object.getOwnPropertyDescriptors(exported)) as T;
}
