import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, until } from './check.ts';
import type { Stage, Typed } from './stage.ts';

const VISITORS = 200;

/** What earlier steps leave for later ones. */
interface Left {
  token: string;
  others: string;
  /** What the command printed that made it. */
  othersToken: Typed;
}

/** A step: its name, and what is done. It throws an error when the product does not do what the name says. */
export type Step = [name: string, act: (stage: Stage, left: Left) => Promise<void>];

/** The way of a team from an empty machine to a release that is rolled back, and all that can go wrong on it. */
export const STEPS: readonly Step[] = [
  ['The site starts', async (stage) => stage.startSite()],
  [
    'An operator adds the unit, and makes a token for its team',
    async (stage, left) => {
      succeeded(await stage.operator('unit', 'add', 'news', '--paths', '/news', '/news/*'));
      left.token = tokenIn(await stage.operator('token', 'create', 'news', '--for', 'news team'));
      left.othersToken = await stage.operator('token', 'create', 'tools', '--for', 'tools team');
      left.others = tokenIn(left.othersToken);
    },
  ],
  [
    'A unit that was a mistake is added and removed, and its token opens nothing',
    async (stage) => {
      succeeded(await stage.operator('unit', 'add', 'newz', '--paths', '/newz'));
      const token = tokenIn(await stage.operator('token', 'create', 'newz', '--for', 'nobody'));
      succeeded(await stage.operator('unit', 'remove', 'newz'));
      check((await stage.team(token, 'lock', 'newz', '--reason', 'is it there?')).code === 1, 'its token works');
    },
  ],
  [
    'The team makes a unit in an empty repository; a check says what it would change',
    async (stage, { token }) => {
      succeeded(await stage.developer('new', 'news', stage.repository));
      stage.install();
      const folder = await stage.build('0.1.0', 'The first news.');
      saying(await stage.team(token, 'check', 'news', '--from', folder), 'news@0.1.0 can be published');
    },
  ],
  [
    'It publishes the unit, and everybody has the page',
    async (stage, { token }) => {
      check((await stage.visit()) === undefined, 'there was a page before');
      const folder = join(stage.repository, 'dist/news/0.1.0');
      succeeded(await stage.team(token, 'publish', 'news', '--from', folder, '--promote'));
      await everybodyHas(stage, '0.1.0');
    },
  ],
  [
    'A tenth of the visitors gets the next version; it is promoted, and everybody has it',
    async (stage, { token }) => {
      const folder = await stage.build('0.2.0', 'The second news.');
      succeeded(await stage.team(token, 'publish', 'news', '--from', folder, '--canary', '10'));
      const found = await countVersions(stage, '0.2.0');
      check(found > VISITORS / 50 && found < VISITORS / 4, `${String(found)} of ${String(VISITORS)} have the canary`);
      check((await countVersions(stage, '0.2.0')) === found, 'a visitor has changed sides');
      succeeded(await stage.team(token, 'canary', 'news', '--percent', '50'));
      check((await countVersions(stage, '0.2.0')) > found, 'no more visitors have the canary');
      succeeded(await stage.team(token, 'promote', 'news'));
      await everybodyHas(stage, '0.2.0');
    },
  ],
  [
    'A release of which a page throws is refused with its stack',
    async (stage, { token }) => {
      const page = join(stage.repository, 'src/pages/news-page.tsx');
      const source = readFileSync(page, 'utf8');
      writeFileSync(page, source.replace('return <', "if (t('lead')) throw new Error('no news');\n  return <"));
      const folder = await stage.build('0.2.1', 'News that throw.');
      writeFileSync(page, source);
      const refused = await stage.team(token, 'publish', 'news', '--from', folder, '--promote');
      check(refused.code === 1 && refused.text.includes('/news of news@0.2.1'), 'it was not refused by its page');
      check(refused.text.includes('Error: no news'), 'the stack is not told');
      const line = source.slice(0, source.indexOf('return <')).split('\n').length;
      const place = `news@0.2.1/src/pages/news-page.tsx:${String(line)}:`;
      check(refused.text.includes(place), `the stack does not name ${place}`);
      await everybodyHas(stage, '0.2.0');
    },
  ],
  [
    'A release with a React DOM of its own is refused, and so is one that loses a page unsaid',
    async (stage, { token }) => {
      const unit = join(stage.repository, 'src/remote.ts');
      const source = readFileSync(unit, 'utf8');
      writeFileSync(unit, `${source}import { createRoot } from 'react-dom/client';\nconsole.log(createRoot);\n`);
      const heavy = await stage.build('0.2.2', 'News with a React of their own.');
      writeFileSync(unit, source);
      const refused = await stage.team(token, 'publish', 'news', '--from', heavy);
      check(refused.code === 1 && refused.text.includes('a copy of react-dom'), 'it was not refused by its copy');

      const less = join(stage.repository, 'less');
      cpSync(join(stage.repository, 'dist/news/0.2.0'), less, { recursive: true });
      const manifest = join(less, 'release.json');
      const release = JSON.parse(readFileSync(manifest, 'utf8')) as { entry: { globalName: string } };
      const entry = { ...release.entry, globalName: 'news__0_2_3' };
      writeFileSync(manifest, JSON.stringify({ ...release, version: '0.2.3', entry, routes: [] }));
      const lost = await stage.team(token, 'check', 'news', '--from', less);
      check(lost.code === 1 && lost.text.includes('--remove-page'), 'the page goes unsaid');
      succeeded(await stage.team(token, 'check', 'news', '--from', less, '--remove-page', '/news'));
      await everybodyHas(stage, '0.2.0');
    },
  ],
  [
    'A release with a file that is not the listed one is refused by name',
    async (stage, { token }) => {
      const folder = await stage.build('0.3.0', 'The third news.');
      const broken = join(stage.repository, 'broken');
      cpSync(folder, broken, { recursive: true });
      const file = listedFile(broken);
      writeFileSync(join(broken, file), 'cut');
      const refused = await stage.team(token, 'publish', 'news', '--from', broken);
      check(refused.code === 1 && refused.text.includes(file), 'it was not refused by the name of the file');
      await everybodyHas(stage, '0.2.0');
    },
  ],
  [
    'The token of another team can do nothing here',
    async (stage, { others, othersToken }) => {
      const folder = join(stage.repository, 'dist/news/0.3.0');
      check((await stage.team(others, 'publish', 'news', '--from', folder)).code === 1, 'it could publish');
      check((await stage.team(others, 'rollback', 'news')).code === 1, 'it could roll back');
      await everybodyHas(stage, '0.2.0');
      succeeded(await stage.operator('token', 'revoke', idIn(othersToken)));
      const late = await stage.team(others, 'rollback', 'tools');
      check(late.code === 1 && late.text.includes('revoked'), 'it works although it was revoked');
    },
  ],
  [
    'A lock holds all moves of the unit until it is taken away',
    async (stage, { token }) => {
      succeeded(await stage.operator('lock', 'news', '--reason', 'a campaign runs'));
      const refused = await stage.team(token, 'rollback', 'news');
      check(refused.code === 1 && refused.text.includes('a campaign runs'), 'it was not held by the lock');
      succeeded(await stage.operator('unlock', 'news'));
    },
  ],
  [
    'A canary that crashes halts itself, and the list says why',
    async (stage, { token }) => {
      const folder = join(stage.repository, 'dist/news/0.3.0');
      succeeded(await stage.team(token, 'publish', 'news', '--from', folder, '--canary', '50'));
      for (let visitor = 0; visitor < 40; visitor += 1)
        if ((await stage.visit(visitor))?.version === '0.3.0') await stage.reportCrash(visitor, '0.3.0');
      await until(async () => (await countVersions(stage, '0.3.0')) === 0, 'the canary goes on');
      saying(await stage.team(token, 'list', 'news'), 'news@0.3.0 was halted');
    },
  ],
  [
    'QA pins the halted version in one browser, by a link',
    async (stage) => {
      const response = await fetch(`${stage.url()}/news?pin=news@0.3.0`, { redirect: 'manual' });
      const cookie = response.headers
        .getSetCookie()
        .map((text) => text.split(';')[0])
        .join('; ');
      const pinned = await stage.visit(0, { cookie });
      check(
        pinned?.version === '0.3.0' && pinned.source === 'pin',
        `the pin has no effect: ${String(response.status)}, ${JSON.stringify(pinned)}`,
      );
      await everybodyHas(stage, '0.2.0');
    },
  ],
  [
    'The team rolls back, and the next request has the version before',
    async (stage, { token }) => {
      succeeded(await stage.team(token, 'rollback', 'news'));
      await everybodyHas(stage, '0.1.0');
      succeeded(await stage.team(token, 'promote', 'news', '0.2.0'));
      await everybodyHas(stage, '0.2.0');
    },
  ],
  [
    'Files of the stable version are gone: visitors get the last good one',
    async (stage) => {
      const files = join(stage.releasesDir, 'news/0.2.0/static');
      rmSync(files, { recursive: true });
      check((await stage.operator('verify', 'news', '0.2.0')).code === 1, 'nobody notices');
      await until(async () => {
        const served = await stage.visit();
        return served?.version === '0.1.0' || served?.lastGood?.version === '0.1.0';
      }, 'there is no way back to 0.1.0');
    },
  ],
  [
    'A unit from the working copy is seen in the pages of the site',
    async (stage) => {
      const html = await stage.editAgainst('tools', '/encrypter');
      check(html.includes('working-copy'), 'the page has the unit of the site');
    },
  ],
];

function succeeded({ code, text }: Typed): void {
  check(code === 0, text);
}

function saying(typed: Typed, words: string): void {
  check(typed.code === 0 && typed.text.includes(words), `it does not say “${words}”`);
}

/** The token is the first line that the command prints. */
function tokenIn(typed: Typed): string {
  succeeded(typed);
  return typed.text.split('\n')[0] ?? '';
}

function idIn({ text }: Typed): string {
  return /This is token (\w+)/.exec(text)?.[1] ?? '';
}

async function countVersions(stage: Stage, version: string): Promise<number> {
  const served = await Promise.all(Array.from({ length: VISITORS }, (_, visitor) => stage.visit(visitor)));
  return served.filter((one) => one?.version === version).length;
}

async function everybodyHas(stage: Stage, version: string): Promise<void> {
  const found = await countVersions(stage, version);
  check(found === VISITORS, `${String(found)} of ${String(VISITORS)} visitors have ${version}`);
}

function listedFile(folder: string): string {
  const { entry } = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')) as { entry: { file: string } };
  return entry.file;
}
