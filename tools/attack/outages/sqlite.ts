import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { solve, tokenOf, type Challenge } from '../players/captcha.ts';
import { ask, expectBusy, expectRefused, expectWell, STATE, type Answer, type Outage } from './outage.ts';

/** Captchas at the same time: fewer than the limit of one address. */
const WRITERS = 5;

/** The name of a file. While it exists, the disk of the server fails. */
const FAILING = 'the-disk-fails';

export const SQLITE_OUTAGES: Outage[] = [
  {
    name: 'another program holds the write lock',
    async play(site) {
      const writes = await Promise.all(Array.from({ length: WRITERS }, (_, nth) => prepareWrite(site.url, nth)));
      const holder = new DatabaseSync(join(site.own.DATA_DIR, 'app.sqlite'), { timeout: 5000 });
      holder.exec('begin immediate');
      site.expect((await ask(site.url, STATE)).status === 200, 'reading does not go on');
      await expectBusy(site, writes);
      holder.exec('rollback');
      holder.close();
      await expectWell(site);
    },
  },
  {
    name: 'a second server on the same file',
    async play(site) {
      await expectRefused(site.own, /^DATA_DIR: another server works with /, site.expect);
      await expectWell(site);
    },
  },
  {
    name: 'the disk takes no more of the log',
    preload: (folder) => `
      import { existsSync } from 'node:fs';
      import { open } from 'node:fs/promises';
      const handle = await open(process.execPath);
      const files = Object.getPrototypeOf(handle);
      await handle.close();
      const { datasync } = files;
      files.datasync = function () {
        return existsSync(${JSON.stringify(join(folder, FAILING))}) ? Promise.reject(new Error('EIO: i/o error, fdatasync')) : datasync.call(this);
      };`,
    async play(site) {
      await expectWell(site);
      const write = await prepareWrite(site.url, 1);
      writeFileSync(join(site.folder, FAILING), '');
      const { status } = await write();
      site.expect(status !== 200, `what may be lost was acknowledged with ${status}`);
    },
    async afterwards({ server, expect }) {
      const { code, logged } = await server.ended;
      expect(code === 74 && /"level":60.*the disk has failed/.test(logged), `it ended with ${code}`);
    },
  },
];

/** Solves a captcha. Returns the call that sends the solution, which makes the server write. */
async function prepareWrite(url: string, nth: number): Promise<() => Promise<Answer>> {
  const hwid = `writer-${nth}234`;
  const given = await fetch(`${url}/api/captcha/challenge?hwid=${hwid}&os=android`);
  const challenge = (await given.json()) as Challenge;
  const body = JSON.stringify({
    'g-recaptcha-response': tokenOf(challenge, solve(challenge)),
    hwid,
    OS: 'android',
    advertiser: 'linkvertise',
  });
  return () =>
    ask(url, '/api/v2/verify-captcha', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}
