import { isContractMet } from '@app/contracts/contract-fit';
import { CONTRACT_VERSION, type Unit } from '@app/contracts/release';

/** A remote requires what the shell of this page does not give. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

/** The release of a remote, and the version of the contract that it requires. */
interface Requiring {
  unit: Unit;
  version: string;
  contract?: string | undefined;
}

/**
 * Checks a release before it is loaded.
 * @throws ContractError when it requires another major version of the contract than the shell provides, or a higher minor
 */
export function requireContract({ unit, version, contract }: Requiring): void {
  if (contract && !isContractMet(CONTRACT_VERSION, contract))
    throw new ContractError(`${unit}@${version} requires contract ${contract}, the shell provides ${CONTRACT_VERSION}`);
}

/**
 * Makes a copy of a package's exports that refuses every other name by an error, which says more than the `undefined`
 * that its importer would call. Only names that are not there reach the proxy, so all others cost what they did before.
 */
export function refuseUnknownNames<T extends object>(packageName: string, exported: T): T {
  const others = new Proxy(Object.create(null) as object, {
    get(_, name) {
      // Bundlers and promises ask for these of anything.
      if (typeof name === 'symbol' || ['__esModule', 'default', 'then'].includes(name)) return undefined;
      throw new ContractError(`${packageName} has no ${name}`);
    },
  });
  return Object.create(others, Object.getOwnPropertyDescriptors(exported)) as T;
}
