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
  await unpackPacks(folder);
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@app') symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
}

export async function unpackPacks(folder: string): Promise<void> {
  for (const { name, bytes } of await makePacks()) {
    const into = join(folder, 'node_modules/@app', name);
    mkdirSync(into, { recursive: true });
    execFileSync('tar', ['-xz', '-C', into, '--strip-components=1'], { input: bytes });
  }
}
