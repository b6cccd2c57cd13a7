import type { KnipConfig } from 'knip';

const CSS_IMPORT = /(?:@import|url\()\s*['"]([^'"#]+)['"]/g;

/** What nothing uses: files, exports, packages; and which packages are used without being declared. */
const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        'scripts/*.{ts,mjs}',
        // Started or loaded by path, or packed for teams.
        'tools/against/{client,dev-against}.*',
        'tools/packs/tool/run-team.ts',
        'tools/build/{define-tests,share-refresh}.*',
        'tools/compatibility/programs/*.mjs',
        'translations/*/fonts.css',
        'samples/typescript/test/harness.ts',
      ],
      project: ['*.ts', '{scripts,tools,samples,translations}/**/*.{ts,mjs,js,css}'],
    },
    'tools/attack': { entry: ['crashes/die-at-commit.ts'] },
    // What `.ci/run` calls.
    api: { entry: ['src/test/programs/earn-key.mjs'] },
    // Hosts are built by path, and Firefox started by it. What builds hosts and remotes has packages of its own.
    e2e: {
      entry: ['journeys/**/*.spec.ts', 'hosts/src/bare.ts', 'firefox/firefox.mjs'],
      ignore: ['hosts/{builders.mjs,src/start.ts,src/with-plugin.ts}', 'remotes/**/*.{mjs,js,jsx,css}'],
    },
  },
  compilers: {
    css: (text: string) => [...text.matchAll(CSS_IMPORT)].map(([, name]) => `import '${name}';`).join('\n'),
  },
  // Programs of the machine.
  exclude: ['binaries'],
  // A type that a signature of the same file names may be exported.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Started by path, or by a name in a setting; an alias of the build.
  ignoreDependencies: [
    '@rspack/cli',
    'dockerfile-utils',
    'openapi-fetch',
    'prettier',
    'remote-of-this-unit',
    'typescript-7',
  ],
};

export default config;
