import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every command of the guide for teams is one that the drill types', () => {
  const guide = readFileSync('docs/teams.md', 'utf8');
  const drill = readdirSync('scripts/drill').map((name) => readFileSync(`scripts/drill/${name}`, 'utf8'));
  const typed = new Set(
    [...drill.join('\n').matchAll(/\b(?:team|operator|developer)\((?:\w+, )?'([a-z]+)'(?:, '([a-z]+)')?/g)].map(nameOf),
  );
  const named = [...guide.matchAll(/npm run release -- ([a-z]+)(?: ([a-z]+))?/g)].map(nameOf);

  expect(named).toContain('rollback');
  expect(named.filter((word) => !typed.has(word))).toEqual([]);
});

test('the guide promotes the first release: there is nothing beside which a canary could be', () => {
  const [first] = /npm run release -- publish .*/.exec(readFileSync('docs/teams.md', 'utf8')) ?? [];

  expect(first).toMatch(/--promote$/);
});

/** The command; of a group, also the word after it. */
function nameOf([, command = '', next = '']: RegExpMatchArray): string {
  return ['unit', 'token'].includes(command) ? `${command} ${next}` : command;
}
