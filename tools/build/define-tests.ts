import type { Plugin, ViteUserConfig } from 'vitest/config';
import messageLoader from './message-loader.ts';

const CATALOGUE_PATTERN = /\/(messages|translations\/[a-z]+\/(?!api\/)[a-z-]+)\/[a-z-]+\.json$/;

/** Lets tests read catalogues as browsers do. */
export const messages: Plugin = {
  name: 'messages',
  enforce: 'pre',
  transform: (source, id) =>
    CATALOGUE_PATTERN.test(id) ? messageLoader.call({ resourcePath: id }, source) : undefined,
};

/** The Vitest configuration of a unit in a repository of its own. A `.test.tsx` has a DOM. */
export function defineTests(): ViteUserConfig {
  // The packs are TypeScript, which Node refuses in packages.
  const server = { deps: { inline: [/\/@app\//] } };
  return {
    test: {
      projects: [
        { plugins: [messages], test: { name: 'units', include: ['src/**/*.test.ts'], server } },
        {
          plugins: [messages],
          test: {
            name: 'components',
            environment: 'happy-dom',
            setupFiles: '@app/testing/fail-on-console',
            include: ['src/**/*.test.tsx'],
            server,
          },
        },
      ],
    },
  };
}
