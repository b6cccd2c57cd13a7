import { defineConfig } from 'vitest/config';
import messageLoader from './scripts/build/message-loader.mjs';

const CATALOGUE = /\/messages\/[a-z-]+\.json$/;

export default defineConfig({
  test: {
    // Left to itself, vitest keeps one core free: half of a machine of two.
    maxWorkers: '100%',
    projects: [
      'api',
      {
        plugins: [
          // Tests read catalogues as browsers do.
          {
            name: 'messages',
            enforce: 'pre',
            transform: (source, id) => (CATALOGUE.test(id) ? messageLoader(source) : undefined),
          },
        ],
        test: {
          name: 'units',
          isolate: false,
          // Tests of colours read style sheets as text; vitest gives all others as empty.
          css: { include: /\?raw$/ },
          include: ['{shell,remotes,shared}/**/src/**/*.test.{ts,tsx}', '{scripts,samples}/**/*.test.{ts,mjs}'],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
