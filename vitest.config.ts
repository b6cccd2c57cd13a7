import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { messages } from './tools/build/define-tests.ts';
import { postgresPrograms } from './tools/machine/postgres.ts';

const RENDERER = 'shell/src/render.test.tsx';
const RESTORE = `${import.meta.dirname}/shared/testing/src/restore.ts`;

/**
 * Runs the tests of commands and tools first. Each of them builds, or starts servers, and takes up to a minute: one that
 * began last would keep all others waiting.
 */
class ToolsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isOfTools = ({ moduleId }: TestSpecification) =>
      /^\/(scripts|tools)\//.test(moduleId.slice(import.meta.dirname.length));
    return [...sorted.filter(isOfTools), ...sorted.filter((file) => !isOfTools(file))];
  }
}

export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    sequence: { sequencer: ToolsFirst },
    // By default vitest leaves one core free. Two workers of three wait: for a database, a time limit, a server to start.
    maxWorkers: 2 * availableParallelism() + 1,
    projects: [
      {
        root: 'api',
        test: {
          name: 'api',
          include: ['src/**/*.test.ts'],
          globalSetup: `${import.meta.dirname}/api/src/test/databases/migrated-template.ts`,
          setupFiles: [RESTORE],
          pool: 'forks',
          // Test files share their imports: a test that changes something global has to restore it.
          isolate: false,
          // The in-process PostgreSQL takes seconds to start on a busy machine.
          hookTimeout: 60_000,
          testTimeout: 60_000,
          // What is waited for comes later on a busy machine.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        plugins: [messages],
        test: {
          name: 'units',
          setupFiles: [RESTORE],
          isolate: false,
          // Tests of colours read stylesheets as text. Vitest replaces all other stylesheets by empty ones.
          css: { include: /\?raw$/ },
          include: ['{shell,remotes,shared}/**/src/**/*.test.ts', '{scripts,tools,samples}/**/*.test.{ts,mjs}'],
          // They need the programs of PostgreSQL.
          exclude: postgresPrograms() ? [] : ['tools/cluster/restore.test.ts', 'tools/attack/cluster/ledger.test.ts'],
          testTimeout: 30_000,
          // What is waited for comes later on a busy machine.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        plugins: [messages],
        test: {
          name: 'components',
          // What a component shows, and what happens when a visitor uses it. What only a browser knows is for the journeys.
          environment: 'happy-dom',
          isolate: false,
          setupFiles: [RESTORE, 'shared/testing/src/new-page.ts', 'shared/testing/src/fail-on-console.ts'],
          include: ['{shell,remotes,shared}/**/src/**/*.test.tsx'],
          exclude: [RENDERER],
          // The first page of a file loads its unit.
          hookTimeout: 30_000,
          testTimeout: 30_000,
          // What is waited for comes later on a busy machine.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      // Its renderers leave marks on contexts, which React warns of in every later test of the same process.
      { plugins: [messages], test: { name: 'renderer', include: [RENDERER], testTimeout: 30_000 } },
    ],
  },
});
