import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { rspack } from '@rspack/core';
import { expect, onTestFinished, test } from 'vitest';
import { nameOfCatalogue } from './message-loader.ts';
import { findTranslations, translationFiles } from './translations-plugin.ts';

/** The files with translations. Those in `vi` are read, `fonts` and the README are none. */
const FILES = {
  'README.md': '# Translations',
  'fonts/shell.json': '{"a": "no language"}',
  'vi/shell.json': '{"a": "A", "b": "{n, plural, other {# b}}"}',
  'vi/shell/app/toasts.json': '{"a": "toast"}',
  'vi/tools.json': '{"a": "tools"}',
  'vi/design-system.json': '{"a": "design"}',
  'vi/brand-ui/device.json': '{"a": "drawn"}',
  'vi/fonts.css': "@font-face { src: url('./vi.woff2') }",
  'vi/vi.woff2': 'font',
};

/** Builds a unit of one script. Returns the names of the files that were made of the translations, and their contents. */
async function build(unit: string, hasHash = false) {
  const folder = mkdtempSync(join(tmpdir(), 'translations-plugin-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const translations = join(folder, 'translations');
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(translations, name)), { recursive: true });
    writeFileSync(join(translations, name), content);
  }
  writeFileSync(join(folder, 'page.js'), '');
  const out = join(folder, 'out');
  await new Promise<void>((resolve, reject) => {
    rspack(
      {
        mode: 'production',
        context: folder,
        entry: './page.js',
        output: { path: out },
        plugins: [translationFiles(unit, [translations], hasHash)],
      },
      (error, stats) => (error || stats?.hasErrors() ? reject(error ?? new Error(stats?.toString())) : resolve()),
    );
  });
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|css|woff2)$/.test(name),
  );
  return { files, read: (name: string) => readFileSync(join(out, name), 'utf8') };
}

/** The translations that a page has after these scripts, one after the other. */
function runAll(...scripts: string[]): unknown {
  const page: { translations?: unknown } = {};
  for (const script of scripts) runInNewContext(script, page);
  return JSON.parse(JSON.stringify(page.translations));
}

test('the script of a unit has its catalogues and those that every unit contains, and keeps what is there', async () => {
  const [shell, tools] = [await build('shell'), await build('tools')];
  const script = 'static/translations/vi.js';

  expect(runAll(shell.read(script), tools.read(script))).toEqual({
    locale: 'vi',
    texts: {
      shell: { a: ['A'], b: [['n', 'plural', expect.anything()]] },
      'shell/app/toasts': { a: ['toast'] },
      'design-system': { a: ['design'] },
      'brand-ui/device': { a: ['drawn'] },
      tools: { a: ['tools'] },
    },
  });
  expect(Object.keys((runAll(tools.read(script)) as { texts: object }).texts).sort()).toEqual([
    'brand-ui/device',
    'design-system',
    'tools',
  ]);
});

test('only the shell brings the fonts of a language, and its stylesheet finds them', async () => {
  const { files, read } = await build('shell');

  expect(findTranslations(files)).toEqual({
    vi: {
      script: 'static/translations/vi.js',
      css: 'static/translations/vi.css',
      fonts: ['static/fonts-vi/vi.woff2'],
    },
  });
  expect(read('static/translations/vi.css')).toContain('url(../../static/fonts-vi/vi.woff2)');
  expect(findTranslations((await build('tools')).files)).toEqual({ vi: { script: 'static/translations/vi.js' } });
  expect(findTranslations(['static/js/a.js'])).toBeUndefined();
});

test('files of a release are named by their content, and found all the same', async () => {
  const { vi } = findTranslations((await build('shell', true)).files) ?? {};

  expect(vi?.script).toMatch(/^static\/translations\/vi\.[0-9a-f]{8}\.js$/);
  expect(vi?.css).toMatch(/^static\/translations\/vi\.[0-9a-f]{8}\.css$/);
  expect(vi?.fonts).toEqual([expect.stringMatching(/^static\/fonts-vi\/vi\.[0-9a-f]{8}\.woff2$/)]);
});

test.each([
  ['remotes/marketing/src/features/plans/messages/en.json', 'marketing/plans'],
  ['shell/src/app/toasts/messages/en.json', 'shell/app/toasts'],
  ['shared/design-system/src/messages/en.json', 'design-system'],
  ['C:\\site\\remotes\\tools\\src\\messages\\en.json', 'tools'],
])('the catalogue %s is named %s', (path, name) => {
  expect(nameOfCatalogue(path)).toBe(name);
});
