import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/** Everything that is built, each alone by its own Rspack config: folder → name below dist. */
const TARGETS = {
  shell: 'shell',
  'remotes/marketing': 'marketing',
  'remotes/companion': 'companion',
  'remotes/key-system': 'key-system',
  'remotes/tools': 'tools',
  api: 'api',
};

/** The command of Rspack, which reads the config of the folder that it is started in. */
export const RSPACK = fileURLToPath(new URL('../node_modules/@rspack/cli/bin/rspack.js', import.meta.url));

/** What every target is made of beside its own folder. */
const COMMON_INPUTS = ['shared', 'samples', 'scripts/build', 'rspack.config.base.ts', 'package-lock.json'];

/** Builds each target whose inputs changed since its last build. */
export async function buildOutdated() {
  const common = hashOf(COMMON_INPUTS);

  for (const [folder, name] of Object.entries(TARGETS)) {
    const stamp = join('dist', name, '.inputs');
    const inputs = `${common} ${hashOf([folder])}`;
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) continue;

    console.log(`Building ${name}`);
    await run(process.execPath, [RSPACK, 'build'], { cwd: folder });
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, inputs);
  }
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(listFiles)) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function listFiles(path) {
  if (statSync(path).isFile()) return [path];

  return readdirSync(path)
    .filter((name) => name !== 'node_modules' && !name.includes('.test.'))
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildOutdated();
