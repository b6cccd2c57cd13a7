import type { HostApi } from './release.ts';

/** Stands for all names of a package. */
export const ALL_MEMBERS = '*';

/** A sentence names so many of the members that are missing. */
const MAX_NAMED_MEMBERS = 20;

/** Whether a shell that provides one version of the host API can give what another version promises. */
export function isHostApiMet(provided: string, required: string): boolean {
  const [providedMajor = 0, providedMinor = 0] = provided.split('.').map(Number);
  const [requiredMajor = 0, requiredMinor = 0] = required.split('.').map(Number);
  return providedMajor === requiredMajor && providedMinor >= requiredMinor;
}

/** Why a remote cannot live under a shell, in a sentence; undefined when the two fit. */
export function findHostApiProblem(shell: HostApi, remote: HostApi): string | undefined {
  if (!isHostApiMet(shell.version, remote.version))
    return `requires host API ${remote.version}, the shell provides ${shell.version}`;

  const versions = new Map(Object.entries(shell.versions ?? {}));
  for (const [name, built] of Object.entries(remote.versions ?? {})) {
    const provided = versions.get(name) ?? built;
    if (majorOf(built) !== majorOf(provided)) return `was built with ${name} ${built}, the shell shares ${provided}`;
  }

  const shared = new Map(Object.entries(shell.provides ?? {}));
  for (const [name, required] of Object.entries(remote.requires ?? {})) {
    const provided = shared.get(name);
    if (!provided) return `imports ${name}, which the shell does not share`;

    const members = new Set(provided).add(ALL_MEMBERS);
    const missing = required.filter((member) => !members.has(member));
    const named =
      missing.slice(0, MAX_NAMED_MEMBERS).join(', ') + (missing.length > MAX_NAMED_MEMBERS ? ' and others' : '');
    if (missing.length > 0) return `imports ${named} from ${name}, which the shell does not provide`;
  }
  return undefined;
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? '';
}
