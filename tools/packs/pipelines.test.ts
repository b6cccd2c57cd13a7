import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { adaptPipeline, PIPELINES } from './pipelines.ts';

const UNIT = { unit: 'tips', site: 'https://other.example' };

const read = (template: string) => readFileSync(`deploy/ci/${template}`, 'utf8');

test.each(Object.values(PIPELINES))('the pipeline made of $template is about this unit alone', ({ template }) => {
  const adapted = adaptPipeline(read(template), UNIT);

  expect(adapted).toMatch(/UNIT: tips\n +SITE: https:\/\/other\.example\n/);
  expect(adapted).not.toMatch(/news|site\.example|remotes|advisories|deploy\/ci/);
  for (const next of ['release -- publish .* --canary', '--silent release -- publish .* --preview'])
    expect(adapted).toMatch(new RegExp(`npm run check\\n.*npm test\\n.*npm run ${next}`));
  expect(adapted).toContain(`promote "$UNIT" "$(node -p "require('./package.json').version")"`);
});

test('each job of the pipeline for GitHub installs before it runs a command', () => {
  const [, part = ''] = adaptPipeline(read('github-publish.yml'), UNIT).split(/^jobs:\n/m);
  const [, ...jobs] = part.split(/^ {2}[a-z]+:\n/m);

  expect(jobs.length).toBeGreaterThan(1);
  for (const job of jobs) expect(job).toMatch(/setup-node@v\d+\n(?: {8}.*\n)+ {6}- run: npm ci\n/);
});

test('a template that is not as it is known is refused, and not copied half changed', () => {
  const changed = read('gitlab.yml').replace('advisories:', 'others:');

  expect(() => adaptPipeline(changed, UNIT)).toThrow('The template of the CI has no ');
});
