import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

function runHook(message: string) {
  const folder = mkdtempSync(join(tmpdir(), 'commit-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'COMMIT_EDITMSG');
  writeFileSync(file, message);
  return spawnSync('sh', [join('.githooks', 'commit-msg'), file], { encoding: 'utf8' });
}

test.each([
  'nginx: do not cache URLs that a visitor can vary\n\nThey fill the disk.\n',
  `e2e, api: ${'a'.repeat(62)}\n`,
  'Revert "nginx: keep a page for a second"\n',
])('takes %j', (message) => {
  expect(runHook(message).status).toBe(0);
});

test.each(['Keep nothing that can vary\n', 'nginx: Keep a page\n', `nginx: ${'a'.repeat(66)}\n`, '\n'])(
  'refuses %j with an example',
  (message) => {
    const { status, stderr } = runHook(message);

    expect(status).toBe(1);
    expect(stderr).toContain('nginx: do not cache');
  },
);
