import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The package that builds units. In this repository it is the files themselves. */
const PRESET = '@app/build-preset';
const PRESET_FILES = ['rspack.config.base.ts', 'tsconfig.base.json', 'scripts/build', 'scripts/units.mjs'];
/** What the preset imports or runs, and its types. */
const PRESET_PACKAGES = [
  '@lingui/message-utils',
  '@rspack/cli',
  '@rspack/core',
  '@rspack/dev-server',
  '@rspack/plugin-react-refresh',
  'jiti',
  'react-refresh',
];

const CONTRACTS = /'(?:\.\.?\/)+shared\/contracts\/src\/([^']+)\.ts'/g;

/**
 * Packs the shared packages and the build preset, so that a unit can live in a repository of its own.
 * @param {string} outFolder gets a .tgz file for each package
 * @returns {Promise<string[]>} their absolute paths
 */
export async function packAll(outFolder) {
  const out = resolve(outFolder);
  mkdirSync(out, { recursive: true });
  const preset = mkdtempSync(join(tmpdir(), 'build-preset-'));
  try {
    writePreset(preset);
    const shared = readdirSync(join(ROOT, 'shared')).map((name) => join(ROOT, 'shared', name));
    await run('npm', ['pack', '--silent', '--pack-destination', out, ...shared, preset], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    rmSync(preset, { recursive: true });
  }
  return readdirSync(out)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => join(out, name));
}

/**
 * Copies the preset. In a package of its own, it takes the contracts from their package.
 * @param {string} folder
 */
function writePreset(folder) {
  for (const file of PRESET_FILES)
    cpSync(join(ROOT, file), join(folder, file), { recursive: true, filter: (path) => !path.includes('.test.') });
  for (const file of [
    PRESET_FILES[0] ?? '',
    ...readdirSync(join(folder, 'scripts/build')).map((name) => `scripts/build/${name}`),
  ]) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), text.replaceAll(CONTRACTS, "'@app/contracts/$1'"));
  }

  const { devDependencies, engines } = readJson('package.json');
  const { version } = readJson('shared/contracts/package.json');
  const manifest = {
    name: PRESET,
    version,
    type: 'module',
    engines,
    exports: {
      '.': './rspack.config.base.ts',
      './define-tests': './scripts/build/define-tests.mjs',
      './tsconfig.base.json': './tsconfig.base.json',
    },
    dependencies: {
      '@app/contracts': '*',
      ...Object.fromEntries(PRESET_PACKAGES.map((name) => [name, devDependencies[name]])),
    },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * @param {string} file
 * @returns {{ version: string, engines: object, devDependencies: Record<string, string> }}
 */
function readJson(file) {
  return /** @type {ReturnType<typeof readJson>} */ (JSON.parse(readFileSync(join(ROOT, file), 'utf8')));
}

/** `node scripts/pack.mjs ./packs` packs all and prints the files. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [outFolder] = process.argv.slice(2);
  if (!outFolder) throw new Error('Say into which folder to pack');
  for (const file of await packAll(outFolder)) console.log(file);
}
