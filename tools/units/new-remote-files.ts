/** What is different in a repository of its own: file → text. The packages are added by their installation. */
export function filesAloneOf(unit: string): Record<string, string> {
  return {
    'package.json': json({
      name: unit,
      version: '0.1.0',
      private: true,
      type: 'module',
      scripts: { build: 'rspack build', test: 'vitest run' },
    }),

    'rspack.config.ts': `import { defineRemote } from '@app/build-preset';
import { routes } from './src/routes.ts';

export default defineRemote('${unit}', routes);
`,

    'vitest.config.ts': `import { defineTests } from '@app/build-preset/define-tests';

export default defineTests();
`,

    'tsconfig.json': `{
  "extends": "@app/build-preset/tsconfig.base.json",
  "compilerOptions": { "lib": ["es2023", "dom", "dom.iterable"] },
  "include": ["src", "node_modules/@app/design-system/src/css-modules.d.ts"]
}
`,
  };
}

/** What a remote is made of, a page with its words and its tests: file → text. */
export function filesOf(unit: string): Record<string, string> {
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

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
