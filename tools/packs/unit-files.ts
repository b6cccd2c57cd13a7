/** As the registry has them, without those whose paths belong to the server. */
const NAME_PATTERN = /^(?!(?:shell|api|releases|dev)$)(?=.{1,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

export function checkName(unit: string): string | undefined {
  return NAME_PATTERN.test(unit)
    ? undefined
    : `${unit} is no name of a unit: write lower-case words with hyphens between them`;
}

interface Alone {
  unit: string;
  site: string;
  /** The packages of the site, by name: their addresses. */
  packs: Readonly<Record<string, string>>;
  /** The other packages that it installs, by name: their versions. */
  versions: Readonly<Record<string, string>>;
}

/** What is different in a repository of its own: file → text. */
export function filesAloneOf({ unit, site, packs, versions }: Alone): Record<string, string> {
  const addresses = Object.entries(packs).map(([name, address]) => [name, new URL(address, site).href] as const);
  const { react = '', 'react-dom': reactDom = '', ...tools } = versions;
  return {
    'package.json': json({
      name: unit,
      version: '0.1.0',
      private: true,
      type: 'module',
      site,
      scripts: {
        dev: 'release dev',
        build: 'rspack build',
        test: 'vitest run',
        check: 'tsc && oxlint && prettier --check .',
        format: 'prettier --write .',
        release: 'release',
      },
      dependencies: { react, 'react-dom': reactDom },
      devDependencies: Object.fromEntries(
        [...addresses, ...Object.entries(tools)].sort(([one], [other]) => (one < other ? -1 : 1)),
      ),
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
  "compilerOptions": { "lib": ["es2023", "dom", "dom.iterable"], "incremental": false },
  "include": ["src", "node_modules/@app/design-system/src/css-modules.d.ts"]
}
`,

    '.oxlintrc.json': `{
  "extends": ["./node_modules/@app/build-preset/oxlintrc.json"],
  "options": { "denyWarnings": true },
  "ignorePatterns": ["dist"]
}
`,

    '.prettierignore': 'dist/\npackage-lock.json\n*.md\n',

    // npm is about to refuse packages by address unless it is told, and the unit's own are all that it needs.
    '.npmrc': 'allow-remote=root\n',

    '.gitignore': 'node_modules/\ndist/\n*.log\n*.tsbuildinfo\n.env\n',

    'README.md': `# ${unit}

A unit of ${site}: the page \`/${unit}\`, built, released and rolled back on its own.

| command | does |
|---|---|
| \`npm install\` | installs; the packages \`@app/…\` come from the site |
| \`npm run dev\` | serves the pages of the site with this unit from here; each edit reloads the page |
| \`npm test\` | runs the tests |
| \`npm run check\` | checks types, lint and format; \`npm run format\` formats |
| \`npm run release -- check\` | says what a release would change, or why it would be refused |
| \`npm run release -- publish --promote\` | publishes the first release; raise the version in package.json for each later one |
| \`npm run release -- publish --canary 10\` | gives a release to 10 % of the visitors; \`npm run release -- promote\` then to all |
| \`npm run release -- rollback\` | gives all visitors the last good version |
| \`npm run release -- update\` | takes the newest packages of the site |
| \`npm run release -- help\` | lists all commands |

The commands that change the site need the unit's deploy token in the environment, as \`RELEASE_TOKEN\`; an operator of the site makes it. The CI needs none: an operator types once \`npm run release -- trust add\` with this repository and its main branch.

Pages are in \`src/routes.ts\` and \`src/pages\`, texts in \`src/messages/en.json\`; \`translations/<language>/${unit}.json\` has the same ids in another language.
`,
  };
}

/** What a remote is made of, a page with its words and its tests: file → text. */
export function filesOf(unit: string): Record<string, string> {
  const words = unit.split('-').map((word) => word[0]?.toUpperCase() + word.slice(1));
  const heading = words.join(' ');
  // Not named for the unit: the lines are as the formatter wants them, however long its name is.
  const page = 'StartPage';
  const file = 'start-page';

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
import en from '../messages/en.json';
import remote from '../remote.ts';

beforeEach(() => openBrowser(new Date(2026, 2, 10, 12).getTime()));
afterEach(closeBrowser);

test('the page says what it is about', async () => {
  await visit(remote, '/${unit}');

  expect(screen.getByRole('heading', { level: 1, name: en.heading })).toBeDefined();
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

/** The pipelines that a unit of its own may have: the file in deploy/ci, and its place in a repository. */
export const PIPELINES = {
  github: { template: 'github-publish.yml', file: '.github/workflows/publish.yml' },
  gitlab: { template: 'gitlab.yml', file: '.gitlab-ci.yml' },
} as const;

export type Ci = keyof typeof PIPELINES;

/** What is different in a repository of its own. Each has to be found, so that no change of a template goes unnoticed. */
const CHANGES: readonly [RegExp, string][] = [
  // The first lines say where the template belongs.
  [/^(#.*\n)+/, '# Publishes the unit; README.md says what it needs.\n'],
  [/\bremotes\/(news|\$UNIT)\/package\.json/g, 'package.json'],
  // Each change there is one of the unit.
  [/\n +(paths|changes): \[remotes\/news\/.*\]/g, ''],
];

/** In the product the command installs what it needs. */
const INSTALL_CHANGES: readonly [RegExp, string][] = [
  [
    /^( +)- (run: )?(npm run (?:--silent )?release -- (?:publish|check) .*)$/gm,
    '$1- $2npm run check\n$1- $2npm test\n$1- $2$3',
  ],
];
const GITHUB_CHANGES: readonly [RegExp, string][] = [[/^( +) {4}cache: npm$/gm, '$&\n$1- run: npm ci']];
const GITLAB_CHANGES: readonly [RegExp, string][] = [
  [/^ +image: node:\d+$/m, '$&\n  before_script: [npm ci]'],
  [/, weekly\]/, ']'],
  [/\nadvisories:\n(.*\n)*$/, ''],
];

/**
 * Makes a template of deploy/ci one for a repository that contains this unit alone.
 * @throws Error when the template is not as it is known here
 */
export function adaptPipeline(template: string, { unit, site }: { unit: string; site: string }): string {
  const changes = [...CHANGES, ...INSTALL_CHANGES, ...(template.includes('\njobs:') ? GITHUB_CHANGES : GITLAB_CHANGES)];
  const adapted = changes.reduce((text, [found, instead]) => {
    if (text.search(found) < 0) throw new Error(`The template of the CI has no ${String(found)}`);
    return text.replace(found, instead);
  }, template);
  return adapted.replaceAll('https://site.example', site).replaceAll(/\bnews\b/g, unit);
}
