import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { expect, test } from 'vitest';
import config from '../.dependency-cruiser.mjs';

/** For each rule, two files of which the first imports the second and must not. */
const VIOLATIONS: Record<string, [from: string, to: string]> = {
  'remotes-do-not-know-each-other': ['remotes/tools/src/a.ts', 'remotes/companion/src/b.ts'],
  'remotes-do-not-know-the-shell': ['remotes/tools/src/a.ts', 'shell/src/b.ts'],
  'shell-meets-remotes-at-run-time-only': ['shell/src/a.ts', 'remotes/tools/src/b.ts'],
  'browser-does-not-import-the-api': ['shared/platform/src/a.ts', 'api/src/b.ts'],
  'api-imports-contracts-and-nothing-else-of-ours': ['api/src/a.ts', 'shared/platform/src/b.ts'],
  'contracts-stand-alone': ['shared/contracts/src/a.ts', 'shared/platform/src/b.ts'],
  'design-system-stands-alone': ['shared/design-system/src/a.ts', 'shared/contracts/src/b.ts'],
  'platform-imports-contracts-and-nothing-else-of-ours': ['shared/platform/src/a.ts', 'shared/design-system/src/b.ts'],
  'only-platform-imports-the-router': ['shell/src/a.ts', 'node_modules/react-router-dom/index.js'],
  'features-are-islands': ['remotes/tools/src/features/one/a.ts', 'remotes/tools/src/features/two/b.ts'],
  'features-do-not-import-pages': ['shell/src/features/one/a.ts', 'shell/src/pages/b.ts'],
  'sql-stays-in-repositories': ['api/src/features/keys/keys.service.ts', 'node_modules/kysely/index.js'],
  'only-transact-appends-to-the-audit': [
    'api/src/features/keys/revoke-keys.ts',
    'api/src/features/audit/append-audit.ts',
  ],
  'services-know-no-http': ['api/src/features/keys/keys.service.ts', 'node_modules/express/index.js'],
  'repositories-know-no-services': [
    'api/src/features/keys/keys.repository.ts',
    'api/src/features/keys/keys.service.ts',
  ],
  'product-code-knows-no-tests': ['shell/src/a.ts', 'shell/src/b.test.ts'],
  'sample-verifier-imports-nothing': ['samples/verify-key/verify-key.mjs', 'shared/contracts/src/b.ts'],
  'journeys-import-nothing-of-ours': ['e2e/a.ts', 'shared/contracts/src/b.ts'],
};

test.each(Object.entries(VIOLATIONS))('the rule %s refuses %s', async (rule, [from, to]) => {
  expect(await violatedRules({ [from]: importOf(from, to), [to]: 'export const planted = 1;' }, from)).toContain(rule);
});

test('the rule no-circles refuses two files that import each other', async () => {
  const files = { 'shell/src/a.ts': "export * from './b.ts';", 'shell/src/b.ts': "export * from './a.ts';" };

  expect(await violatedRules(files, 'shell/src/a.ts')).toContain('no-circles');
});

test('every rule has its planted violation', () => {
  const named = config.forbidden?.map(({ name }) => name).filter((name) => name !== 'no-circles');

  expect(Object.keys(VIOLATIONS).sort()).toEqual(named?.sort());
});

/** Cruises a small tree made for the purpose, under the project's own rules. */
async function violatedRules(files: Record<string, string>, start: string): Promise<string[]> {
  const baseDir = mkdtempSync(join(tmpdir(), 'boundaries-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(baseDir, dirname(path)), { recursive: true });
      writeFileSync(join(baseDir, path), text);
    }
    const { output } = await cruise([start], {
      ...config.options,
      baseDir,
      validate: true,
      ruleSet: { forbidden: config.forbidden ?? [] },
    });
    return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
  } finally {
    rmSync(baseDir, { recursive: true });
  }
}

function importOf(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 1);
  return `import { planted } from '${up}${to}';\nexport const used = planted;`;
}
