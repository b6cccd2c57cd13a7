import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findManifestProblems } from './find-manifest-problems.ts';

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'manifests-'))));
afterEach(() => rmSync(root, { recursive: true }));

test('a package that imports what it declares, and nothing else, has no problem', () => {
  plant({
    'package.json': manifest({ vitest: '*', prettier: '*' }, { format: 'prettier --write .' }),
    'node_modules/prettier/package.json': JSON.stringify({ bin: { prettier: 'bin.js' } }),
    'node_modules/router/package.json': JSON.stringify({ peerDependencies: { 'react-dom': '*' } }),
    'shell/package.json': manifest({ router: '*', 'react-dom': '*', '@font/sora': '*', '@app/platform': '*' }),
    'shell/src/a.ts': "import { readFileSync } from 'node:fs';\nexport * from 'router/x';\nimport('@app/platform');",
    'shell/src/font.css': "@font-face { src: url('@font/sora/latin.woff2'); }",
    'shell/src/a.test.ts': "import { test } from 'vitest';\nimport '#own/b.ts';\nimport './a.ts';",
  });

  expect(findManifestProblems(root, ['shell'])).toEqual([]);
});

test.each([
  ["import v from 'valibot';", 'valibot'],
  ["import type { Link } from '@app/platform/links';", '@app/platform'],
  ["const late = import('zustand');", 'zustand'],
  ["export { Link } from 'react-router/dom';", 'react-router'],
])('%s without a declaration is named', (text, name) => {
  plant({ 'shell/package.json': manifest({}), 'shell/src/a.ts': text });

  expect(findManifestProblems(root, ['shell'])).toEqual([
    `shell/src/a.ts imports ${name}, which its package.json does not declare`,
  ]);
});

test('the app that is exported beside packages of its own needs no declaration', () => {
  plant({ 'package.json': manifest({}), 'scripts/bench/next-export/a.ts': "import 'next/document';" });

  expect(findManifestProblems(root, [])).toEqual([]);
});

test('a tool of the root serves tests of a workspace, and none of its other code', () => {
  plant({
    'package.json': manifest({ vitest: '*' }),
    'shell/package.json': manifest({}),
    'shell/src/a.ts': "import 'vitest';",
    'shell/src/a.test.ts': "import 'vitest';",
  });

  expect(findManifestProblems(root, ['shell'])).toEqual([
    'shell/src/a.ts imports vitest, which its package.json does not declare',
  ]);
});

test('what is declared and not imported is named, in a workspace and at the root', () => {
  plant({
    'package.json': manifest({ pg: '*', ws: '*' }),
    'scripts/a.mjs': "import pg from 'pg';",
    'shell/package.json': manifest({ react: '*' }),
  });

  expect(findManifestProblems(root, ['shell'])).toEqual([
    'shell/package.json declares react, which nothing there imports',
    'package.json declares ws, which nothing there imports',
  ]);
});

function plant(files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function manifest(dependencies: Record<string, string>, scripts: Record<string, string> = {}): string {
  return JSON.stringify({ scripts, dependencies });
}
