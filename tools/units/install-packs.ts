import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Does what `npm install` does in a repository of its own, without a network: unpacks our packs, and links the other
 * packages that are installed here.
 * @param folder the repository
 * @param packs the files that `scripts/pack.ts` made
 */
export function installPacks(folder: string, packs: readonly string[]): void {
  const ours = join(folder, 'node_modules/@app');
  mkdirSync(ours, { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@app') symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  for (const pack of packs) {
    const into = join(ours, basename(pack).replace(/^app-(.*)-\d.*$/, '$1'));
    mkdirSync(into);
    execFileSync('tar', ['-xzf', pack, '-C', into, '--strip-components=1']);
  }
}
