import type { Contract } from './release.ts';

/** Stands for all names of a package. */
export const WHOLE = '*';

/** Whether a shell that provides one version of the contract can give what another version promises. */
export function isContractMet(provided: string, required: string): boolean {
  const [providedMajor = 0, providedMinor = 0] = provided.split('.').map(Number);
  const [requiredMajor = 0, requiredMinor = 0] = required.split('.').map(Number);
  return providedMajor === requiredMajor && providedMinor >= requiredMinor;
}

/**
 * Finds why a remote cannot live under a shell.
 * @returns a sentence that begins with what the remote requires; undefined when the two fit
 */
export function findContractProblem(shell: Contract, remote: Contract): string | undefined {
  if (!isContractMet(shell.version, remote.version))
    return `requires contract ${remote.version}, the shell provides ${shell.version}`;

  for (const [name, required] of Object.entries(remote.requires ?? {})) {
    const provided = shell.provides?.[name];
    if (!provided) return `imports ${name}, which the shell does not share`;

    const missing = required.filter((member) => member !== WHOLE && !provided.includes(member));
    if (missing.length > 0) return `imports ${missing.join(', ')} from ${name}, which the shell does not provide`;
  }
  return undefined;
}
