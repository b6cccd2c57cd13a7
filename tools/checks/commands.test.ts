import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGES = [
  'README.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'deploy/ci/github-publish.yml',
  'deploy/ci/github-weekly.yml',
  'deploy/ci/gitlab.yml',
  'docs/architecture.md',
  'docs/benchmarks.md',
  'docs/operations.md',
  'docs/teams.md',
  'tools/attack/README.md',
  'tools/bench/README.md',
  '.env.example',
];

test('every command that the pages name is one of package.json', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const named = PAGES.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\bnpm run ([a-z0-9]+(?:-[a-z0-9]+)*)/g)].map(([, name = '']) => name),
  );

  expect(named).toContain('ops');
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
