import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Compiler, rspack, type Stats } from '@rspack/core';
import { packTar } from 'modern-tar';
import { PACKS_FOLDER } from '../../shared/contracts/src/packs.ts';
import { THIRD_PARTY_NOTICES } from '../../shared/contracts/src/release.ts';
import { HOST_API_VERSION } from '../../shared/contracts/src/unit.ts';
import { thirdPartyNotices } from '../build/third-party-notices-plugin.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const LINT_RULES_FILE = 'tools/lint/text-alone.ts';

/** Packages of a site belong together: hosts and npm compare their version with the one that a release asks for. */
const VERSION = `${HOST_API_VERSION}.0`;

/** The package that builds units. In this repository it is the files themselves. */
const PRESET = 'build-preset';
const PRESET_ENTRIES = ['rspack.config.base.ts', 'tools/build/define-tests.ts', 'tools/against/dev-against.ts'];
/** What it loads by its name. */
const PRESET_LOADED = [
  'tools/build/*-loader.ts',
  'tools/build/share-refresh.ts',
  'tools/against/client.js',
  LINT_RULES_FILE,
];
/** What the preset imports or runs. */
const PRESET_PACKAGES = [
  '@lingui/message-utils',
  '@module-federation/manifest',
  '@rspack/cli',
  '@rspack/core',
  '@rspack/dev-server',
  '@rspack/plugin-react-refresh',
  'postcss',
  'postcss-selector-parser',
  'react-refresh',
  'valibot',
];
/** The translations that every unit contains, besides its own. */
const PRESET_TRANSLATIONS = 'translations/*/{design-system,brand-ui}{,/**/*}.json';

/** The package with which teams make a unit, and publish it. */
const TOOL = 'release';
/** The tools of a unit of its own, which get the versions that are used here. */
const TOOLS_OF_UNITS = [
  '@testing-library/dom',
  '@testing-library/react',
  '@types/react',
  '@types/react-dom',
  'happy-dom',
  'oxlint',
  'prettier',
  'typescript',
  'vitest',
];
const NEEDED_NODE = 24;
/** Settings of editors and tools, which a unit of its own gets as they are. */
const SETTINGS = ['.editorconfig', '.nvmrc', '.prettierrc.json'];
const TEMPLATES = ['deploy/ci/github-publish.yml', 'deploy/ci/gitlab.yml'];

/** The name of a file in a package → its content. */
type Files = Record<string, string | Buffer>;

/** A package that a unit in a repository of its own installs. */
export interface Pack {
  /** The file's name without its ending; the package is `@app/<name>`. */
  name: string;
  bytes: Buffer;
}

/** Starts the tool. Every Node can read it. */
const STARTER_SCRIPT = `#!/usr/bin/env node
var needed = ${String(NEEDED_NODE)};
var found = process.versions.node;
if (parseInt(found, 10) >= needed) import('./release.js');
else {
  console.error('Node ' + needed + ' or newer is needed; this is ' + found + '. Install it from https://nodejs.org.');
  process.exitCode = 1;
}
`;

/**
 * Adds what units in repositories of their own install to the release of the shell. So a site gives packs that fit its
 * host API, under names that stand for one content, and keeps those of earlier releases.
 */
export function addPacks(compiler: Compiler): void {
  const { Compilation, sources } = compiler.rspack;
  compiler.hooks.thisCompilation.tap('packs', (compilation) => {
    const stage = Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
    compilation.hooks.processAssets.tapPromise({ name: 'packs', stage }, async () => {
      for (const { name, bytes } of await makePacks()) {
        const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
        compilation.emitAsset(`${PACKS_FOLDER}/${name}.${hash}.tgz`, new sources.RawSource(bytes));
      }
    });
  });
}

/**
 * Packs the shared packages, the build of units and the tool of teams, so that a unit can live in a repository of its own.
 * The same sources make the same bytes.
 */
export async function makePacks(): Promise<Pack[]> {
  const shared = readdirSync(join(ROOT, 'shared')).filter((name) =>
    existsSync(join(ROOT, 'shared', name, 'package.json')),
  );
  const packages = Object.fromEntries([
    ...shared.map((name) => [name, packShared(`shared/${name}`)] as const),
    [PRESET, await packPreset()] as const,
    [TOOL, await packTool()] as const,
  ]);
  const packs = Object.entries(packages).map(async ([name, files]) => ({ name, bytes: await makeTarball(files) }));
  return (await Promise.all(packs)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function packShared(folder: string): Files {
  return {
    ...readFiles(
      globSync('src/**/*.*', { cwd: join(ROOT, folder) }).filter((file) => !file.includes('.test.')),
      folder,
    ),
    'package.json': toJson(withoutDependencies(readManifest(`${folder}/package.json`))),
  };
}

/** The build. It is compiled, with all that it imports of ours: Node reads no TypeScript in packages. */
async function packPreset(): Promise<Files> {
  const loaded = PRESET_LOADED.flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
  const { dependencies, devDependencies, engines } = readManifest('package.json');
  const { dependencies: ofContracts } = readManifest('shared/contracts/package.json');
  const versions = { ...dependencies, ...devDependencies, ...ofContracts };
  return {
    ...(await compile([...PRESET_ENTRIES, ...loaded])),
    ...readFiles([...globSync(PRESET_TRANSLATIONS, { cwd: ROOT }), 'tsconfig.base.json']),
    'oxlintrc.json': lintRules(),
    'rspack.config.base.d.ts': `import type { Configuration } from '@rspack/core';
import type { Routes } from '@app/contracts/pages';

/** The Rspack configuration of a remote, which the shell loads at run time. */
export declare function defineRemote(unit: string, routes: Routes): Configuration[];
`,
    'tools/build/define-tests.d.ts': `import type { ViteUserConfig } from 'vitest/config';

/** The Vitest configuration of a unit. A \`.test.tsx\` has a DOM. */
export declare function defineTests(): ViteUserConfig;
`,
    'package.json': toJson({
      name: `@app/${PRESET}`,
      version: VERSION,
      private: true,
      type: 'module',
      engines,
      exports: {
        '.': './rspack.config.base.js',
        './define-tests': './tools/build/define-tests.js',
        './dev': './tools/against/dev-against.js',
        './tsconfig.base.json': './tsconfig.base.json',
      },
      dependencies: pickMembers(versions, PRESET_PACKAGES),
      peerDependencies: { '@app/contracts': '*' },
    }),
  };
}

/** The tool. It has no dependencies, so that npx has it in a second. */
async function packTool(): Promise<Files> {
  const { dependencies, devDependencies } = readManifest('package.json');
  const { dependencies: ofRemote } = readManifest('remotes/marketing/package.json');
  const react = { react: ofRemote?.['react'], 'react-dom': ofRemote?.['react'] };
  return {
    ...(await bundleTool()),
    ...Object.fromEntries(TEMPLATES.map((file) => [`ci/${basename(file)}`, readFileSync(join(ROOT, file))])),
    ...Object.fromEntries(SETTINGS.map((file) => [`settings/${file.slice(1)}`, readFileSync(join(ROOT, file))])),
    'bin.js': STARTER_SCRIPT,
    'versions.json': toJson({ ...react, ...pickMembers({ ...dependencies, ...devDependencies }, TOOLS_OF_UNITS) }),
    'package.json': toJson({
      name: `@app/${TOOL}`,
      version: VERSION,
      private: true,
      type: 'module',
      bin: { release: './bin.js' },
    }),
  };
}

const TOOL_ENTRY = 'tools/packs/tool/run-team.ts';

/** What may be in the tool: everybody can read it, and it needs no server. */
const PUBLIC =
  /^(tools\/packs\/|tools\/build\/(read-commit|write-release)\.ts$|shared\/contracts\/src\/|api\/src\/ops\/(release\/)?[a-z-]+\.ts$|api\/src\/delivery\/store\/(release-files|release-archive|staged-release)\.ts$|(api\/)?node_modules\/(@app\/contracts\/src|@commander-js\/extra-typings|commander|cssesc|modern-tar|nanoid|p-limit|picocolors|postcss|postcss-selector-parser|source-map-js|util-deprecate|valibot|yocto-queue)\/)/;

/**
 * Makes one file of the tool of teams, with the commands that operators have for a site elsewhere.
 * @returns the files, by their names
 * @throws Error when it would contain code of the server
 */
async function bundleTool(): Promise<Record<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'release-tool-'));
  const compiler = rspack({
    mode: 'production',
    devtool: false,
    context: ROOT,
    target: 'node24',
    entry: { release: `./${TOOL_ENTRY}` },
    resolve: { extensions: ['.ts', '.js'], symlinks: false },
    module: {
      rules: [
        {
          test: /\.ts$/,
          loader: 'builtin:swc-loader',
          options: { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } },
          type: 'javascript/auto',
        },
      ],
      parser: { javascript: { importMeta: false, url: false } },
    },
    externalsType: 'module',
    externals: [({ request = '' }, done) => (isBuiltin(request) ? done(undefined, request) : done())],
    output: { path: folder, filename: '[name].js', module: true, chunkFormat: 'module', library: { type: 'module' } },
    // Its users can read it.
    optimization: { minimize: false, nodeEnv: false, concatenateModules: true },
    plugins: [thirdPartyNotices()],
  });
  try {
    const stats = await new Promise<Stats>((resolve, reject) =>
      compiler.run((error, built) => (built ? resolve(built) : reject(error ?? new Error('Nothing was built')))),
    );
    if (stats.hasErrors()) throw new Error(stats.toString({ preset: 'errors-only', colors: false }));

    const foreign = [...stats.compilation.modules]
      .flatMap((module) => module.nameForCondition() ?? [])
      .map((file) => relative(ROOT, file))
      .filter((file) => !PUBLIC.test(file));
    if (foreign.length > 0) throw new Error(`The tool of teams would contain ${foreign.join(', ')}`);

    return Object.fromEntries(
      ['release.js', THIRD_PARTY_NOTICES].map((name) => [name, readFileSync(join(folder, name))]),
    );
  } finally {
    await new Promise((resolve) => void compiler.close(resolve));
    await rm(folder, { recursive: true });
  }
}

function lintRules(): string {
  const text = readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8').replaceAll(/^ *\/\/.*$/gm, '');
  const { plugins, categories, rules, overrides } = JSON.parse(text) as {
    plugins: string[];
    categories: object;
    rules: object;
    overrides: { files: string[]; plugins?: string[]; rules: object }[];
  };
  const ofPages = overrides.find(({ files }) => files.some((pattern) => pattern.startsWith('{shell,remotes')));
  return toJson({
    plugins: [...new Set([...plugins, ...(ofPages?.plugins ?? [])])],
    jsPlugins: [`./${LINT_RULES_FILE.replace(/ts$/, 'js')}`],
    categories,
    rules: { ...rules, ...ofPages?.rules },
  });
}

async function compile(entries: readonly string[]): Promise<Files> {
  const files = new Map<string, string>();
  const add = async (file: string): Promise<void> => {
    const name = file.replace(/\.ts$/, '.js');
    if (files.has(name)) return;

    files.set(name, '');
    const source = readFileSync(join(ROOT, file), 'utf8');
    const { code } = await rspack.experiments.swc.transform(source, {
      filename: file,
      module: { type: 'es6' },
      jsc: { target: 'es2022', parser: { syntax: 'typescript' }, transform: { verbatimModuleSyntax: true } },
      swcrc: false,
      configFile: false,
    });
    files.set(name, code.replaceAll(RELATIVE_IMPORT_PATTERN, "$1'$2.js'"));
    for (const [, , path = ''] of code.matchAll(RELATIVE_IMPORT_PATTERN)) await add(join(dirname(file), `${path}.ts`));
  };
  for (const entry of entries) await add(entry);
  return Object.fromEntries(files);
}

const RELATIVE_IMPORT_PATTERN = /\b(from |import\()'(\.{1,2}\/[^']+)\.ts'/g;

interface Manifest {
  engines?: object;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Which pack of ours belongs to which, the unit says: it names all by their addresses. */
function withoutDependencies({ dependencies = {}, peerDependencies = {}, ...manifest }: Manifest): object {
  const isOurs = ([name]: [string, string]) => name.startsWith('@app/');
  const all = Object.entries(dependencies);
  return {
    ...manifest,
    version: VERSION,
    dependencies: Object.fromEntries(all.filter((one) => !isOurs(one))),
    peerDependencies: { ...Object.fromEntries(all.filter(isOurs)), ...peerDependencies },
  };
}

async function makeTarball(files: Files): Promise<Buffer> {
  const entries = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  const tar = await packTar(
    entries.map(([name, content]) => {
      const body = Buffer.from(content);
      return { header: { name: `package/${name}`, size: body.length, mtime: new Date(0) }, body };
    }),
  );
  return promisify(gzip)(tar, { level: 9 });
}

function readFiles(names: readonly string[], folder = '.'): Files {
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(ROOT, folder, name))]));
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Manifest;
}

function pickMembers(versions: Record<string, string>, names: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, versions[name]]));
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
