import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { TestSite, CommandResult } from './test-site.ts';

const VISITOR_COUNT = 200;
const TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 50;

/** What earlier steps leave for later ones. */
interface Left {
  token: string;
  others: string;
  /** What the command printed that made it. */
  othersToken: CommandResult;
}

/** A step: its name, and what is done. It throws an error when the product does not do what the name says. */
export type Step = [name: string, act: (site: TestSite, left: Left) => Promise<void>];

/** The way of a team from an empty machine to a release that is rolled back. */
export const STEPS: readonly Step[] = [
  ['The site starts', async (site) => site.startSite()],
  [
    'An operator adds the unit, and makes a token for its team',
    async (site, left) => {
      succeeded(await site.operator('unit', 'add', 'news', '--paths', '/news', '/news/*'));
      left.token = tokenIn(await site.operator('token', 'create', 'news', '--for', 'news team'));
      left.othersToken = await site.operator('token', 'create', 'tools', '--for', 'tools team');
      left.others = tokenIn(left.othersToken);
    },
  ],
  [
    'A unit that was a mistake is added and removed, and its token opens nothing',
    async (site) => {
      succeeded(await site.operator('unit', 'add', 'newz', '--paths', '/newz'));
      const token = tokenIn(await site.operator('token', 'create', 'newz', '--for', 'the removed team'));
      check(await site.knows(token, 'newz'), 'its token does not work');
      succeeded(await site.operator('unit', 'remove', 'newz'));
      check(!(await site.knows(token, 'newz')), 'its token works');
    },
  ],
  [
    'The team makes a unit in an empty folder, installs, tests and checks it',
    async (site, { token }) => {
      succeeded(await site.npx('new', 'news'));
      succeeded(await site.npm('install', '--prefer-offline', '--no-audit', '--no-fund'));
      succeeded(await site.npm('test', '--silent'));
      succeeded(await site.npm('run', '--silent', 'check'));
      requireOutput(await site.team(token, 'update'), 'These are the packages of');
      requireOutput(await site.team(token, 'help'), 'promote [options] <unit> [version]');
    },
  ],
  [
    'A check says what it would change; it publishes the unit, and every visitor has the page',
    async (site, { token }) => {
      check((await site.visit()) === undefined, 'there was a page before');
      site.edit('0.1.0', 'The first news.');
      requireOutput(await site.team(token, 'check'), 'news@0.1.0 can be published');
      succeeded(await site.team(token, 'publish', '--promote'));
      await allHave(site, '0.1.0');
    },
  ],
  [
    'The unit from its repository is seen in the pages of the site',
    async (site) => {
      check((await site.dev('/news')).includes('working-copy'), 'the page has the unit of the site');
    },
  ],
  [
    'A build is previewed: its address shows it, and visitors do not get it',
    async (site, { token }) => {
      site.edit('0.2.0', 'The second news.');
      await site.commit();
      const published = await site.team(token, 'publish', '--preview', '--json');
      const [, link = ''] = /"link":\s*"([^"]+)"/.exec(published.text) ?? [];
      const cookie = await site.cookieOf(link);
      check(
        (await site.visit(0, { cookie }))?.version.startsWith('0.2.0-preview.') === true,
        'the address shows no preview',
      );
      await allHave(site, '0.1.0');
    },
  ],
  [
    'An operator trusts the CI of the unit, and takes that back',
    async (site) => {
      const trusted = ['--issuer', 'https://token.actions.githubusercontent.com', '--repository', 'org/news'];
      succeeded(await site.operator('trust', 'add', 'news', ...trusted, '--ref', 'refs/heads/main'));
      const listed = await site.operator('trust', 'list');
      requireOutput(listed, 'org/news');
      const [, id = ''] = /^ *(\w+) .*org\/news/m.exec(listed.text) ?? [];
      succeeded(await site.operator('trust', 'remove', id));
      check(!(await site.operator('trust', 'list')).text.includes('org/news'), 'it is trusted still');
    },
  ],
  [
    'A tenth of the visitors gets the next version; it is promoted, and every visitor has it',
    async (site, { token }) => {
      site.edit('0.2.0', 'The second news.');
      succeeded(await site.team(token, 'publish', '--canary', '10'));
      const found = await countVersions(site, '0.2.0');
      check(
        found > VISITOR_COUNT / 50 && found < VISITOR_COUNT / 4,
        `${String(found)} of ${String(VISITOR_COUNT)} have the canary`,
      );
      check((await countVersions(site, '0.2.0')) === found, 'a visitor has changed sides');
      succeeded(await site.team(token, 'canary', '--percent', '50'));
      check((await countVersions(site, '0.2.0')) > found, 'no more visitors have the canary');
      succeeded(await site.team(token, 'promote'));
      await allHave(site, '0.2.0');
    },
  ],
  [
    'A release that loses a page unsaid is refused',
    async (site, { token }) => {
      site.edit('0.2.3', 'News without a page.');
      succeeded(await site.npm('run', '--silent', 'build'));
      const less = join(site.repository, 'dist/news/0.2.3');
      const manifest = join(less, 'release.json');
      const release = JSON.parse(readFileSync(manifest, 'utf8')) as object;
      writeFileSync(manifest, JSON.stringify({ ...release, routes: [] }));
      const lost = await site.team(token, 'check', '--from', less);
      check(lost.code === 1 && lost.text.includes('--remove-page'), 'the page goes unsaid');
      succeeded(await site.team(token, 'check', '--from', less, '--remove-page', '/news'));
      await allHave(site, '0.2.0');
    },
  ],
  [
    'The token of another team can do nothing here',
    async (site, { others, othersToken }) => {
      check((await site.team(others, 'publish')).code === 1, 'it could publish');
      check((await site.team(others, 'rollback')).code === 1, 'it could roll back');
      await allHave(site, '0.2.0');
      succeeded(await site.operator('token', 'revoke', idIn(othersToken)));
      const late = await site.team(others, 'rollback');
      check(late.code === 1 && late.text.includes('revoked'), 'it works although it was revoked');
    },
  ],
  [
    'A lock holds all channel changes of the unit until it is taken away',
    async (site, { token }) => {
      succeeded(await site.operator('lock', 'news', '--reason', 'a campaign runs'));
      const refused = await site.team(token, 'rollback');
      check(refused.code === 1 && refused.text.includes('a campaign runs'), 'it was not held by the lock');
      succeeded(await site.operator('unlock', 'news'));
    },
  ],
  [
    'The team ends a canary, and visitors keep what they have',
    async (site, { token }) => {
      site.edit('0.2.5', 'The slow news.');
      succeeded(await site.team(token, 'publish', '--canary', '50'));
      succeeded(await site.team(token, 'halt', '--reason', 'too slow'));
      await allHave(site, '0.2.0');
      requireOutput(await site.team(token, 'list'), 'too slow');
    },
  ],
  [
    'The team rolls back, and the next request has the version before',
    async (site, { token }) => {
      succeeded(await site.team(token, 'rollback'));
      await allHave(site, '0.1.0');
      succeeded(await site.team(token, 'promote', '0.2.0'));
      await allHave(site, '0.2.0');
    },
  ],
  [
    'Files of the stable version are gone: visitors get the last good one',
    async (site) => {
      const files = join(site.releasesDir, 'news/0.2.0/static');
      rmSync(files, { recursive: true });
      check((await site.operator('verify', 'news', '0.2.0')).code === 1, 'the damage is not found');
      await until(async () => {
        const served = await site.visit();
        return served?.version === '0.1.0' || served?.lastGood?.version === '0.1.0';
      }, 'there is no fallback to 0.1.0');
    },
  ],
];

function succeeded({ code, text }: CommandResult): void {
  check(code === 0, text);
}

function requireOutput(typed: CommandResult, words: string): void {
  check(typed.code === 0 && typed.text.includes(words), `it does not say “${words}”`);
}

/** The token is the first line that the command prints. */
function tokenIn(typed: CommandResult): string {
  succeeded(typed);
  return typed.text.split('\n')[0] ?? '';
}

function idIn({ text }: CommandResult): string {
  return /This is token (\w+)/.exec(text)?.[1] ?? '';
}

async function countVersions(site: TestSite, version: string): Promise<number> {
  const served = await Promise.all(Array.from({ length: VISITOR_COUNT }, (_, visitor) => site.visit(visitor)));
  return served.filter((one) => one?.version === version).length;
}

async function allHave(site: TestSite, version: string): Promise<void> {
  const found = await countVersions(site, version);
  check(found === VISITOR_COUNT, `${String(found)} of ${String(VISITOR_COUNT)} visitors have ${version}`);
}

/** @throws Error with what is wrong, when something is not as it should be */
function check(isRight: boolean, wrong: string): void {
  if (!isRight) throw new Error(wrong);
}

/** Waits until something is as it should be. */
async function until(isRight: () => Promise<boolean>, wrong: string): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  while (!(await isRight())) {
    check(Date.now() < end, wrong);
    await wait(POLL_INTERVAL_MS);
  }
}
