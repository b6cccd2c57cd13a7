import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { adaptPipeline, PIPELINES } from './unit-files.ts';

const UNIT = { unit: 'tips', site: 'https://other.example' };

const read = (template: string) => readFileSync(`deploy/ci/${template}`, 'utf8');

test.each(Object.values(PIPELINES))('the pipeline made of $template is about this unit alone', ({ template }) => {
  const adapted = adaptPipeline(read(template), UNIT);

  expect(adapted).toMatch(/UNIT: tips\n +SITE: https:\/\/other\.example\n/);
  expect(adapted).not.toMatch(/news|site\.example|remotes|advisories|deploy\/ci/);
  for (const next of ['publish .* --canary', 'publish .* --preview'])
    expect(adapted).toMatch(new RegExp(`npm run check\\n.*npm test\\n.*npm run (?:--silent )?release -- ${next}`));
  expect(adapted).toContain(`promote "$UNIT" "$(node -p "require('./package.json').version")"`);
});

test('each job of the pipeline for GitHub installs before it runs a command', () => {
  const [, part = ''] = adaptPipeline(read('github-publish.yml'), UNIT).split(/^jobs:\n/m);
  const [, ...jobs] = part.split(/^ {2}[a-z]+:\n/m);

  expect(jobs.length).toBeGreaterThan(1);
  for (const job of jobs) expect(job).toMatch(/setup-node@v\d+\n(?: {8}.*\n)+ {6}- run: npm ci\n/);
});

test.each([
  ['served', 'outcome=served\n'],
  ['published', 'outcome=published\n'],
])(
  'the job for GitHub passes with the outcome %s, and the promotion asks only for what was published',
  (outcome, told) => {
    const jobs = jobsOf(adaptPipeline(read('github-publish.yml'), UNIT));
    const folder = mkdtempSync(join(tmpdir(), 'pipeline-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // A command of npm that answers as the tool does.
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncase "$*" in *publish*) echo '{"outcome": "${outcome}"}';; esac\n`, {
      mode: 0o755,
    });

    for (const step of stepsOf(jobs.get('canary') ?? ''))
      execFileSync('bash', ['--norc', '-e', '-c', step], {
        cwd: folder,
        env: { PATH: `${folder}:${process.env['PATH'] ?? ''}`, GITHUB_OUTPUT: join(folder, 'told'), ...UNIT },
      });

    expect(readFileSync(join(folder, 'told'), 'utf8')).toBe(told);
    expect(jobs.get('canary')).toContain('--if-new');
    expect(jobs.get('everybody')).toContain("if: needs.canary.outputs.outcome != 'served'");
  },
);

test('the pull request of a fork is checked without a token, a secret, or a preview', () => {
  const github = adaptPipeline(read('github-publish.yml'), UNIT);
  const gitlab = adaptPipeline(read('gitlab.yml'), UNIT);
  const [ofGithub, ofGitlab] = [jobsOf(github).get('fork') ?? '', jobsOf(gitlab).get('fork') ?? ''];

  expect(github).not.toMatch(/pull_request_target|secrets\./);
  expect(ofGithub).toMatch(/if: .*head\.repo\.full_name != github\.repository\n/);
  expect(ofGithub).toMatch(/permissions:\n +contents: read\n +steps:/);
  expect(ofGithub).toContain('persist-credentials: false');
  // Of GitLab's jobs only those get a token that say so.
  expect(gitlab.match(/id_tokens:/g)).toHaveLength(1);
  expect(gitlab).toMatch(/^\.known-to-site:\n +id_tokens:/m);
  expect(ofGitlab).toContain('$CI_MERGE_REQUEST_SOURCE_PROJECT_ID != $CI_MERGE_REQUEST_PROJECT_ID\n');
  for (const job of [ofGithub, ofGitlab]) {
    expect(job).toMatch(/npm run check\n.*npm test\n.*npm run release -- check "\$UNIT" --to "\$SITE"\n/);
    expect(job).not.toMatch(/id-token|known-to-site|publish|TOKEN/);
  }
  for (const pipeline of [github, gitlab])
    expect(jobsOf(pipeline).get('preview')).toMatch(/if: .*(full_name == github|SOURCE_PROJECT_ID == \$CI)/);
});

test('a template that lacks a passage to change is refused', () => {
  const changed = read('gitlab.yml').replace('advisories:', 'others:');

  expect(() => adaptPipeline(changed, UNIT)).toThrow('The template of the CI has no ');
});

/** The jobs of a pipeline by their names. */
function jobsOf(pipeline: string): Map<string, string> {
  const [indent, text] = pipeline.includes('\njobs:\n') ? ['  ', pipeline.split('\njobs:\n')[1] ?? ''] : ['', pipeline];
  const parts = `\n${text}`.split(new RegExp(`\\n(?:${indent}#.*\\n)*${indent}(\\.?[a-z-]+):\\n`)).slice(1);
  return new Map(parts.flatMap((name, nth) => (nth % 2 === 0 ? [[name, `${parts[nth + 1] ?? ''}\n`] as const] : [])));
}

/** What the steps of a job for GitHub run in their shells. */
function stepsOf(job: string): string[] {
  return [...job.matchAll(/ run: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/g)].map(([, lines = '', line]) => line ?? lines);
}
