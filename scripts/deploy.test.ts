import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const guide = readFileSync(new URL('../docs/deploy.md', import.meta.url), 'utf8');

test('no setting in docs/deploy.md has a comment behind its value, which systemd would make a part of it', () => {
  const settings = guide.match(/^[A-Z][A-Z_]+=.*$/gm) ?? [];

  expect(settings).toContain('TRUST_PROXY=1');
  expect(settings.filter((line) => /\s#/.test(line))).toEqual([]);
});
