import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';
import { folderOfUnit } from './units.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** As the registry has them, without those whose paths belong to the server. */
const NAME = /^(?!(?:shell|api|releases|dev)$)(?=.{1,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Makes a remote with one page, its words and its tests, in the style of the others.
 * @param {string} unit such as `news`; it becomes the name of the folder, and its page is `/news`
 * @param {string} [root] the folder of the product
 * @returns {string[]} the files, relative to the root
 * @throws Error when the name is none, or is taken
 */
export function makeRemote(unit, root = ROOT) {
  if (!NAME.test(unit))
    throw new Error(`${unit} is no name of a unit: write lower-case words with hyphens between them`);
  const folder = folderOfUnit(unit);
  if (existsSync(join(root, folder))) throw new Error(`${folder} exists already`);

  return Object.entries(filesOf(unit)).map(([name, text]) => {
    const file = `${folder}/${name}`;
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    return file;
  });
}

/**
 * @param {string} unit
 * @returns {Record<string, string>} file → text
 */
function filesOf(unit) {
  const words = unit.split('-').map((word) => word[0]?.toUpperCase() + word.slice(1));
  const heading = words.join(' ');
  const page = `${words.join('')}Page`;
  const file = `${unit}-page`;

  return {
    'package.json': json({
      name: `@app/${unit}`,
      version: '0.1.0',
      private: true,
      type: 'module',
      exports: {},
      dependencies: { '@app/contracts': '*', '@app/design-system': '*', '@app/platform': '*', react: '^19.3.1' },
      devDependencies: { '@app/testing': '*' },
    }),

    'rspack.config.ts': `import { defineRemote } from '../../rspack.config.base.ts';
import { routes } from './src/routes.ts';

export default defineRemote('${unit}', routes);
`,

    'tsconfig.json': `{
  "extends": "../../tsconfig.base.json",
  "compilerOptions": {
    "lib": ["es2023", "dom", "dom.iterable"],
    "tsBuildInfoFile": "../../node_modules/.cache/tsc/remotes-${unit}.tsbuildinfo"
  },
  "include": ["src", "../../shared/design-system/src/css-modules.d.ts"]
}
`,

    'src/routes.ts': `import type { Routes } from '@app/contracts/pages';

/**
 * The pages of this unit. The build writes them into release.json; the server makes titles, tags and the sitemap of it.
 */
export const routes = {
  '/${unit}': {
    page: '${file}',
    title: '${heading}',
    shareTitle: '${heading}',
    description: 'What this page is about, in one sentence.',
    picture: 'tools',
    // The path for search engines, once they shall list the page.
    canonical: null,
  },
} satisfies Routes;
`,

    'src/remote.ts': `import { pageNames } from '@app/contracts/pages';
import type { RemoteModule } from '@app/platform';
import { routes } from './routes.ts';

export default {
  routes: pageNames(routes),
  pages: {
    '${file}': async () => (await import(/* webpackChunkName: "${file}" */ './pages/${file}.tsx')).${page},
  },
} satisfies RemoteModule;
`,

    'src/words.ts': `import { defineWords } from '@app/platform';
import en from './messages/en.json';

export const t = defineWords({ en });
`,

    'src/messages/en.json': json({ heading, lead: 'What this page is about, in one sentence.' }),

    [`src/pages/${file}.tsx`]: `import { Page } from '@app/design-system/page';
import { t } from '../words.ts';

export function ${page}() {
  return <Page heading={t('heading')} lead={t('lead')} narrow />;
}
`,

    [`src/pages/${file}.test.tsx`]: `import { closeBrowser, openBrowser, visit } from '@app/testing/visit';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import remote from '../remote.ts';

beforeEach(() => openBrowser(new Date(2026, 2, 10, 12).getTime()));
afterEach(closeBrowser);

test('the page says what it is about', async () => {
  await visit(remote, '/${unit}');

  expect(screen.getByRole('heading', { level: 1, name: '${heading}' })).toBeDefined();
});
`,

    'src/first-render.test.ts': `import { renderForTwo } from '@app/testing/first-render';
import { expect, test } from 'vitest';
import remote from './remote.ts';

test.each(Object.keys(remote.routes))('the first render of %s is the same for every visitor', async (path) => {
  const [first, second] = await renderForTwo(remote, path);

  expect(first).toContain('<h1');
  expect(second).toBe(first);
});
`,
  };
}

/** @param {object} value */
function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** `node scripts/new-remote.mjs news` makes a remote and says what to do next. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [unit = ''] = process.argv.slice(2);
  try {
    const files = makeRemote(unit);
    // So that the lock file names the new package.
    await run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline', '--loglevel=error'], {
      cwd: ROOT,
    });
    await run('node_modules/.bin/prettier', ['--write', '--log-level=warn', folderOfUnit(unit)], { cwd: ROOT });
    console.log(`Made:
${files.map((file) => `  ${file}`).join('\n')}

Next:
  npm run dev                                            see /${unit}; each edit appears in the open page
  npm run check && npm run unit -- remotes/${unit}
  npm run release -- unit add ${unit} --paths /${unit},/${unit}/*    an operator of the site types this once
  npm run release -- publish ${unit} --to https://…       with the unit's token in RELEASE_TOKEN`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
