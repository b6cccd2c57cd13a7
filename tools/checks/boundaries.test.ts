import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { expect, test } from 'vitest';
import config from '../../.dependency-cruiser.mjs';

/** For each rule, two files: the first imports the second, which the rule forbids. */
const VIOLATIONS: Record<string, [from: string, to: string]> = {
  'remotes-do-not-know-each-other': ['remotes/tools/src/a.ts', 'remotes/companion/src/b.ts'],
  'remotes-do-not-know-the-shell': ['remotes/tools/src/a.ts', 'shell/src/b.ts'],
  'shell-meets-remotes-at-run-time-only': ['shell/src/a.ts', 'remotes/tools/src/b.ts'],
  'browser-does-not-import-the-api': ['shared/platform/src/a.ts', 'api/src/b.ts'],
  'api-imports-contracts-and-nothing-else-of-ours': ['api/src/a.ts', 'shared/platform/src/b.ts'],
  'contracts-stand-alone': ['shared/contracts/src/a.ts', 'shared/platform/src/b.ts'],
  'design-system-stands-alone': ['shared/design-system/src/a.ts', 'shared/contracts/src/b.ts'],
  'platform-imports-contracts-and-nothing-else-of-ours': ['shared/platform/src/a.ts', 'shared/design-system/src/b.ts'],
  'brand-ui-imports-design-system-platform-and-contracts': ['shared/brand-ui/src/a.ts', 'shared/testing/src/b.ts'],
  'only-platform-imports-the-router': ['shell/src/a.ts', 'node_modules/react-router-dom/index.js'],
  'features-are-islands': ['remotes/tools/src/features/one/a.ts', 'remotes/tools/src/features/two/b.ts'],
  'features-do-not-import-pages': ['shell/src/features/one/a.ts', 'shell/src/pages/b.ts'],
  'sql-stays-in-repositories': ['api/src/product/keys/keys.service.ts', 'node_modules/kysely/index.js'],
  'layer-of-foundation-imports-only-below': ['api/src/foundation/http/a.ts', 'api/src/product/keys/b.ts'],
  'layer-of-product-imports-only-below': ['api/src/product/keys/a.ts', 'api/src/delivery/store/b.ts'],
  'layer-of-server-imports-only-below': ['api/src/server/a.ts', 'api/src/ops/b.ts'],
  'layer-of-settings-imports-only-below': ['api/src/foundation/settings/a.ts', 'api/src/foundation/db/b.ts'],
  'layer-of-jobs-imports-only-below': ['api/src/foundation/jobs/a.ts', 'api/src/foundation/telemetry/b.ts'],
  'layer-of-crypto-imports-only-below': ['api/src/foundation/db/a.ts', 'api/src/foundation/crypto/b.ts'],
  'layer-of-audit-imports-only-below': ['api/src/foundation/audit/a.ts', 'api/src/foundation/visitors/b.ts'],
  'layer-of-http-imports-only-below': ['api/src/foundation/http/a.ts', 'api/src/product/b.ts'],
  'layer-of-limits-imports-only-below': ['api/src/product/limits/a.ts', 'api/src/product/devices/b.ts'],
  'layer-of-advertisers-imports-only-below': ['api/src/product/devices/a.ts', 'api/src/product/keys/b.ts'],
  'layer-of-captcha-imports-only-below': ['api/src/product/keys/a.ts', 'api/src/product/licences/b.ts'],
  'layer-of-licences-imports-only-below': ['api/src/product/licences/a.ts', 'api/src/product/payments/b.ts'],
  'layer-of-codes-imports-only-below': ['api/src/product/payments/a.ts', 'api/src/product/key-system/b.ts'],
  'layer-of-purchases-imports-only-below': ['api/src/product/stats/a.ts', 'api/src/product/purchases/b.ts'],
  'layer-of-status-imports-only-below': ['api/src/product/status/a.ts', 'api/src/product/sweeper/b.ts'],
  'layer-of-store-imports-only-below': ['api/src/delivery/store/a.ts', 'api/src/delivery/registry/b.ts'],
  'layer-of-registry-imports-only-below': ['api/src/delivery/registry/a.ts', 'api/src/delivery/serving/b.ts'],
  'layer-of-deploy-tokens-imports-only-below': ['api/src/delivery/serving/a.ts', 'api/src/delivery/rendering/b.ts'],
  'layer-of-pages-imports-only-below': ['api/src/delivery/qa/a.ts', 'api/src/delivery/pages/b.ts'],
  'layer-of-channels-imports-only-below': ['api/src/delivery/channels/a.ts', 'api/src/delivery/canary/b.ts'],
  'layer-of-canary-imports-only-below': ['api/src/delivery/canary/a.ts', 'api/src/product/keys/b.ts'],
  'every-module-of-the-api-has-its-layer': ['api/src/product/new/a.ts', 'api/src/foundation/db/b.ts'],
  'only-seal-audit-extends-the-chain': [
    'api/src/foundation/audit/audit.service.ts',
    'api/src/foundation/audit/sealing.repository.ts',
  ],
  'services-know-no-http': ['api/src/product/keys/keys.service.ts', 'node_modules/express/index.js'],
  'repositories-know-no-services': ['api/src/product/keys/keys.repository.ts', 'api/src/product/keys/keys.service.ts'],
  'product-code-knows-no-tests': ['shell/src/a.ts', 'shell/src/b.test.ts'],
  'samples-import-nothing-but-their-verifier': ['samples/typescript/verify-key.mjs', 'shared/contracts/src/b.ts'],
  'samples-import-nothing-of-ours': ['samples/vectors/make-vectors.mjs', 'tools/machine/run.ts'],
  'journeys-import-nothing-of-ours': ['e2e/a.ts', 'shared/contracts/src/b.ts'],
  'other-teams-take-the-packs': ['e2e/hosts/src/host.tsx', 'shell/src/b.ts'],
  'product-code-knows-no-tools': ['api/src/a.ts', 'tools/machine/run.ts'],
  'tools-know-no-commands': ['tools/machine/a.ts', 'scripts/build.ts'],
  'the-installation-needs-node-alone': ['scripts/install.ts', 'node_modules/express/index.js'],
  'build-editing-and-host-api-import-contracts-and-nothing-else-of-ours': ['tools/build/a.ts', 'api/src/b.ts'],
  'packs-take-the-commands-for-another-site-alone': ['tools/packs/tool/a.ts', 'api/src/foundation/db/b.ts'],
  'tools-see-the-product-from-outside': ['tools/attack/oracles/run-oracle.ts', 'api/src/b.ts'],
};

/** More of the places that a rule names. */
const ELSEWHERE: [rule: string, from: string, to: string][] = [
  ['sql-stays-in-repositories', 'api/src/delivery/channels/change-channels.ts', 'node_modules/kysely/index.js'],
  ['sql-stays-in-repositories', 'api/src/server/app.ts', 'node_modules/kysely/index.js'],
  ['sql-stays-in-repositories', 'api/src/foundation/audit/transact.ts', 'node_modules/kysely/index.js'],
  ['layer-of-product-imports-only-below', 'api/src/delivery/pages/a.ts', 'api/src/product/keys/b.ts'],
  ['layer-of-product-imports-only-below', 'api/src/delivery/open-delivery.ts', 'api/src/server/b.ts'],
  ['every-module-of-the-api-has-its-layer', 'api/src/new/a.ts', 'api/src/foundation/db/b.ts'],
  ['product-code-knows-no-tests', 'api/src/product/keys/a.ts', 'api/src/test/b.ts'],
  ['product-code-knows-no-tools', 'api/src/a.ts', 'scripts/build.ts'],
  ['browser-does-not-import-the-api', 'remotes/tools/src/a.ts', 'api/src/b.ts'],
];

const PLANTED = 'export const planted = 1;';

const PLANTS = [...Object.entries(VIOLATIONS).map(([rule, files]) => [rule, ...files] as const), ...ELSEWHERE];

test.each(PLANTS)('the rule %s refuses that %s imports %s', async (rule, from, to) => {
  expect(await violatedRules({ [from]: importOf(from, to), [to]: PLANTED }, from)).toContain(rule);
});

test('a rule also refuses an import of a type alone', async () => {
  const files = {
    'shell/src/a.ts': importOf('shell/src/a.ts', 'api/src/b.ts', 'import type'),
    'api/src/b.ts': PLANTED,
  };

  expect(await violatedRules(files, 'shell/src/a.ts')).toEqual(['browser-does-not-import-the-api']);
});

test('the rule no-circles refuses two files that import each other', async () => {
  const files = { 'shell/src/a.ts': "export * from './b.ts';", 'shell/src/b.ts': "export * from './a.ts';" };

  expect(await violatedRules(files, 'shell/src/a.ts')).toContain('no-circles');
});

test('every rule has its planted violation', () => {
  const named = config.forbidden?.map(({ name }) => name).filter((name) => name !== 'no-circles');

  expect(Object.keys(VIOLATIONS).sort()).toEqual(named?.sort());
});

/** Writes the files to a temporary folder and checks them with the project's own rules. Returns the violated rules. */
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

function importOf(from: string, to: string, how: 'import' | 'import type' = 'import'): string {
  const up = '../'.repeat(from.split('/').length - 1);
  return `${how} { planted } from '${up}${to}';\nexport let used: typeof planted;`;
}
