import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Site } from '../fixtures/site.ts';

/** Where `npm run soak` installs the builders. Rspack is here already. */
const INSTALLED = resolve('dist/.peers/remotes/node_modules');

/** A unit in a repository of its own, which one of the usual builders makes. */
export interface Repository {
  /** Types a command of the team, `npm run release -- …`. Returns what it prints. */
  type: (...words: string[]) => Promise<string>;
  /** Raises the version, and writes another heading into the first page. */
  change: (version: string, heading: string) => void;
  close: () => void;
}

/** Makes the repository of the unit `news` in a folder of its own, with the packages that the site gives its teams. */
export async function openRepository(site: Pick<Site, 'url' | 'manage'>, builder: string): Promise<Repository> {
  const folder = mkdtempSync(join(tmpdir(), 'repository-'));
  for (const name of ['src', 'builders.mjs', 'package.json'])
    cpSync(join(import.meta.dirname, name), join(folder, name), { recursive: true });
  edit(join(folder, 'package.json'), (text) => text.replace('{', `{ "site": "${site.url}",`));

  const packages = builder === 'rspack' ? resolve('node_modules') : INSTALLED;
  mkdirSync(join(folder, 'node_modules/@app'), { recursive: true });
  for (const name of readdirSync(packages))
    if (name !== '@app') symlinkSync(join(packages, name), join(folder, 'node_modules', name));
  for (const name of ['contracts', 'platform', 'release']) {
    const answer = await fetch(`${site.url}/api/packs/${name}.tgz`);
    const into = join(folder, 'node_modules/@app', name);
    mkdirSync(into);
    execFileSync('tar', ['-xz', '-C', into, '--strip-components=1'], {
      input: Buffer.from(await answer.arrayBuffer()),
    });
  }

  await site.manage('unit', 'add', 'news', '--paths', '/news', '/news/*');
  const { out } = await site.manage('token', 'create', 'news', '--for', builder);
  const [token = ''] = out.split('\n');
  const commit = '0a1b2c3d4e5f'.padEnd(40, '0');
  const env = { ...process.env, BUILDER: builder, RELEASE_TOKEN: token, RELEASE_COMMIT: commit, NODE_ENV: undefined };
  return {
    type: (...words) =>
      new Promise((done, fail) => {
        const argv = [join(folder, 'node_modules/@app/release/bin.js'), ...words];
        execFile(process.execPath, argv, { cwd: folder, env }, (error, said, complained) =>
          error ? fail(new Error(said + complained)) : done(said),
        );
      }),
    change(version, heading) {
      edit(join(folder, 'package.json'), (text) => text.replace(/"version": ".*"/, `"version": "${version}"`));
      edit(join(folder, 'src/start-page.jsx'), (text) => text.replace(/<h1>.*<\/h1>/, `<h1>${heading}</h1>`));
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
