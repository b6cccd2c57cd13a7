import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../machine/run.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The package that builds units. In this repository it is the files themselves. */
const PRESET = '@app/build-preset';
/** What units import of it. */
const PRESET_ENTRIES = ['rspack.config.base.ts', 'tools/build/define-tests.ts'];
/** What the builds of units load by its name. */
const PRESET_LOADED = /(-loader|share-refresh)\.ts$/;
/** What the preset imports or runs. */
const PRESET_PACKAGES = [
  '@lingui/message-utils',
  '@module-federation/manifest',
  '@rspack/cli',
  '@rspack/core',
  '@rspack/dev-server',
  '@rspack/plugin-react-refresh',
  'react-refresh',
  'valibot',
];

/**
 * Packs the shared packages and the build preset, so that a unit can live in a repository of its own.
 * @param outFolder gets a .tgz file for each package
 * @returns their absolute paths
 */
export async function packAll(outFolder: string): Promise<string[]> {
  const out = resolve(outFolder);
  mkdirSync(out, { recursive: true });
  const preset = mkdtempSync(join(tmpdir(), 'build-preset-'));
  try {
    await writePreset(preset);
    const shared = readdirSync(join(ROOT, 'shared'))
      .map((name) => join(ROOT, 'shared', name))
      .filter((folder) => existsSync(join(folder, 'package.json')));
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

/** Compiles the preset, with all that it imports of ours: Node reads no TypeScript in packages. */
async function writePreset(folder: string): Promise<void> {
  const loaded = readdirSync(join(ROOT, 'tools/build')).filter((name) => PRESET_LOADED.test(name));
  const config = join(folder, 'tsconfig.json');
  writeJson(config, {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      incremental: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: ROOT,
      outDir: folder,
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    include: [],
    files: [...PRESET_ENTRIES, ...loaded.map((name) => `tools/build/${name}`), 'tools/build/react-refresh.d.ts'].map(
      (file) => join(ROOT, file),
    ),
  });
  await run(process.execPath, [join(ROOT, 'node_modules/typescript-7/bin/tsc'), '-p', config]);
  rmSync(config);
  cpSync(join(ROOT, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));

  const { dependencies, devDependencies, engines } = readManifest('package.json');
  const versions = { ...dependencies, ...devDependencies };
  const { version } = readManifest('shared/contracts/package.json');
  writeJson(join(folder, 'package.json'), {
    name: PRESET,
    version,
    type: 'module',
    engines,
    exports: {
      '.': './rspack.config.base.js',
      './define-tests': './tools/build/define-tests.js',
      './tsconfig.base.json': './tsconfig.base.json',
    },
    dependencies: Object.fromEntries(PRESET_PACKAGES.map((name) => [name, versions[name]])),
  });
}

interface Manifest {
  version: string;
  engines: object;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Manifest;
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
