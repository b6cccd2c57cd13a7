import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutSettings } from '../machine/without-settings.ts';
import { createServer } from '../site/server.ts';

/** What a command printed, and how it ended. */
export interface CommandResult {
  code: number;
  text: string;
}

/** How a page names a unit. */
export interface ServedUnit {
  version: string;
  source: string;
  lastGood?: { version: string };
}

export type TestSite = ReturnType<typeof openTestSite>;

const RESOLUTION_PATTERN = /<script id="resolution" type="application\/json">(.*?)<\/script>/s;

/** A site with data of its own, and an empty repository for a new unit. Nothing leaves this machine. */
export function openTestSite(say: (line: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'drill-'));
  const dataDir = join(folder, 'data');
  const repository = join(folder, 'news');
  mkdirSync(repository);
  const env = { ...withoutSettings(), NODE_ENV: 'development', HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir };
  const site = createServer({ folder, settings: {}, limits: {} });
  let url = '';

  /** Runs a program as a person would type it, and shows what it prints. */
  function type(shown: string, command: string, args: string[], settings: NodeJS.ProcessEnv, cwd = '.') {
    say(`  $ ${shown}`);
    return new Promise<CommandResult>((resolve) => {
      execFile(command, args, { cwd, env: { ...env, ...settings } }, (error, out, err) => {
        const text = `${out}${err}`.trim();
        for (const line of text.split('\n')) say(`    ${line.replace(/\bdeploy_\S+/, 'deploy_…')}`);
        resolve({ code: Number(error?.code ?? 0), text: out.trim() + err.trim() });
      });
    });
  }

  const shownAs = (words: readonly string[]) =>
    ['npm run release --', ...words.map((word) => (/[\s*]/.test(word) ? `"${word}"` : word.replace(folder, '…')))].join(
      ' ',
    );

  const inRepository = (shown: string, args: string[], settings: NodeJS.ProcessEnv = {}) =>
    type(shown, 'npm', args, settings, repository);

  return {
    repository,
    releasesDir: join(dataDir, 'releases'),
    url: () => url,
    pid: site.pid,
    startSite: async (): Promise<void> => void (url = await site.start()),

    /** What an operator types on the machine of the site. */
    operator: (...words: string[]) => type(shownAs(words), process.execPath, ['dist/api/release.js', ...words], {}),

    /** What anybody types in an empty folder. */
    npx: (...words: string[]) => {
      const args = ['--yes', '--allow-remote=root', `${url}/api/packs/release.tgz`, ...words, '--from-site', url];
      return type(`npx ${args.join(' ')}`, 'npx', args, {}, repository);
    },

    /** What a team types in its repository. */
    npm: (...words: string[]) => inRepository(`npm ${words.join(' ')}`, words),

    /** What a team types there with a deploy token. */
    team: (token: string, ...words: string[]) =>
      inRepository(shownAs(words), ['run', '--silent', 'release', '--', ...words], { RELEASE_TOKEN: token }),

    /** Whether the site knows a deploy token. */
    async knows(token: string, unit: string): Promise<boolean> {
      const { status } = await fetch(`${url}/api/channels/${unit}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ action: 'unlock' }),
      });
      return status !== 401;
    },

    /** Raises the version of the unit and changes its text. */
    edit(version: string, text: string): void {
      const manifest = join(repository, 'package.json');
      const before = JSON.parse(readFileSync(manifest, 'utf8')) as object;
      writeFileSync(manifest, `${JSON.stringify({ ...before, version }, null, 2)}\n`);
      writeFileSync(join(repository, 'src/messages/en.json'), JSON.stringify({ heading: 'News', lead: text }));
    },

    /** Commits what is in the repository. */
    async commit(): Promise<void> {
      const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@team.example'];
      for (const args of [
        ['init', '--quiet'],
        ['add', '.'],
        [...who, 'commit', '--quiet', '--message', 'Change the news'],
      ])
        await type(`git ${args.join(' ')}`, 'git', args, {}, repository);
    },

    /** Opens a signed link; returns the cookie that a browser then has. */
    async cookieOf(link: string): Promise<string> {
      const response = await fetch(link, { redirect: 'manual' });
      return response.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
    },

    /** Asks for a page of the unit as one visitor. Undefined when the site has no such page. */
    async visit(visitor = 0, { cookie = '' } = {}): Promise<ServedUnit | undefined> {
      const response = await fetch(`${url}/news?hwid=drill-device-${String(visitor)}`, {
        redirect: 'manual',
        headers: { ...networkOf(visitor), ...(cookie && { cookie }) },
      });
      const [, json] = RESOLUTION_PATTERN.exec(await response.text()) ?? [];
      return json === undefined ? undefined : (JSON.parse(json) as { units: Record<string, ServedUnit> }).units['news'];
    },

    /** Starts `npm run dev` in the repository. Returns what a page of it says. */
    async dev(path: string): Promise<string> {
      say('  $ npm run dev');
      const dev = spawn('npm', ['run', '--silent', 'dev'], {
        cwd: repository,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        let printed = '';
        for await (const chunk of dev.stdout) {
          printed += String(chunk);
          const [, address] = /Ready on (\S+):/.exec(printed) ?? [];
          if (address) return await (await fetch(address + path)).text();
        }
        throw new Error(`It ended: ${printed}`);
      } finally {
        dev.kill('SIGTERM');
        if (dev.exitCode === null && dev.signalCode === null) await once(dev, 'exit');
      }
    },

    async close(): Promise<void> {
      await site.stop();
      // No step may cause an error.
      for (const line of site.logged()) if (/"level":[56]0/.test(line)) say(`    ${line}`);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Each visitor comes from a network of their own, which no other's holder has. */
function networkOf(visitor: number): { 'x-forwarded-for': string } {
  return { 'x-forwarded-for': `20.${String(visitor >> 6)}.${String((visitor & 63) * 4)}.1` };
}
