import { defineConfig } from 'vitest/config';
import messageLoader from './scripts/build/message-loader.mjs';

const CATALOGUE = /\/messages\/[a-z-]+\.json$/;

export default defineConfig({
  test: {
    // By default vitest leaves one core free, which is half of a machine with two cores.
    maxWorkers: '100%',
    projects: [
      'api',
      {
        plugins: [
          // Compiles the catalogues, so that tests read the same form as browsers.
          {
            name: 'messages',
            enforce: 'pre',
            transform: (source, id) => (CATALOGUE.test(id) ? messageLoader(source) : undefined),
          },
        ],
        test: {
          name: 'units',
          isolate: false,
          // Tests of colours read stylesheets as text. Vitest replaces all other stylesheets by empty ones.
          css: { include: /\?raw$/ },
          include: ['{shell,remotes,shared}/**/src/**/*.test.{ts,tsx}', '{scripts,samples}/**/*.test.{ts,mjs}'],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
