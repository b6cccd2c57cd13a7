import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePacks } from './make-packs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Does what `npm install` does in a repository of its own, without a network: unpacks our packs, and links the other
 * packages that are installed here.
 * @param folder the repository
 */
export async function installPacks(folder: string): Promise<void> {
  const ours = join(folder, 'node_modules/@app');
  mkdirSync(ours, { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@app') symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  for (const { name, bytes } of await makePacks()) {
    const into = join(ours, name);
    mkdirSync(into);
    execFileSync('tar', ['-xz', '-C', into, '--strip-components=1'], { input: bytes });
  }
}
