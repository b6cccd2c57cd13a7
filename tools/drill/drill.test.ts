import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const TEMPLATES = ['deploy/ci/github-publish.yml', 'deploy/ci/gitlab.yml'];

test.each(['docs/teams.md', ...TEMPLATES])('the drill types every command of %s', (file) => {
  const guide = readFileSync(file, 'utf8');
  const drill = readdirSync('tools/drill').map((name) => readFileSync(`tools/drill/${name}`, 'utf8'));
  const typed = new Set(
    [...drill.join('\n').matchAll(/\b(?:team|operator|npx)\((?:\w+, )?'([a-z]+)'(?:, '([a-z]+)')?/g)].map(nameOf),
  );
  const named = [...guide.matchAll(/npm run (?:--silent )?release -- ([a-z]+)(?: ([a-z]+))?/g)].map(nameOf);

  expect(named).toContain('publish');
  expect(named.filter((word) => !typed.has(word))).toEqual([]);
});

test('the guide publishes the first release with --promote, because a canary needs a stable release', () => {
  const [first] = /npm run release -- publish .*/.exec(readFileSync('docs/teams.md', 'utf8')) ?? [];

  expect(first).toMatch(/--promote$/);
});

test.each(TEMPLATES)('%s publishes a canary, and promotes it by its version', (file) => {
  const commands = readFileSync(file, 'utf8').match(/release -- .*/g) ?? [];

  expect(commands).toEqual([
    expect.stringMatching(/^release -- publish "\$UNIT" --to "\$SITE" --preview --json/),
    expect.stringMatching(/^release -- check "\$UNIT" --to "\$SITE"$/),
    expect.stringMatching(/^release -- publish "\$UNIT" --to "\$SITE" --canary \d+ --if-new/),
    expect.stringMatching(/^release -- promote "\$UNIT" "\$\(.*\.version"\)" --to "\$SITE"$/),
  ]);
});

/** The command; of a group, also the word after it. */
function nameOf([, command = '', next = '']: RegExpMatchArray): string {
  return ['unit', 'token', 'trust'].includes(command) ? `${command} ${next}` : command;
}
