import { createServer } from 'node:http';
import { once } from 'node:events';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { createClient } from '../tools/attack/world/client.ts';
import { startFakeAdvertisers } from '../tools/attack/fakes/advertisers.ts';
import { createPlayer } from '../tools/attack/players/player.ts';
import { createRandom } from '../tools/attack/world/random.ts';
import { start } from '../tools/site/started-server.ts';

/**
 * A visitor who is back with a proof while another program takes the database, just before the advertiser confirms it.
 * The visitor waits on a page, and the server for the database.
 */
export async function comeBackToLockedDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'locked-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const advertisers = await startFakeAdvertisers({ now: Date.now, callServer: () => Promise.resolve() });
  onTestFinished(() => advertisers.stop());

  let lock = () => {};
  const linkvertise = createServer((_req, res) => {
    lock();
    res.end('TRUE');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void linkvertise.close());
  await once(linkvertise, 'listening');

  const apiBase = `http://127.0.0.1:${(linkvertise.address() as AddressInfo).port}`;
  const settings = { ...advertisers.settings, linkvertise: { ...advertisers.settings.linkvertise, apiBase } };
  const ADVERTISERS_FILE = join(folder, 'advertisers.json');
  writeFileSync(ADVERTISERS_FILE, JSON.stringify(settings));
  const server = await start('npm', ['start'], { ADVERTISERS_FILE, TEST_CAPTCHA_COST: '1', TEST_MIN_DWELL_MS: '0' });

  const database = new DatabaseSync(join(server.dataDir, 'app.sqlite'), { timeout: 5000 });
  onTestFinished(() => void database.close());
  lock = () => void database.exec('begin immediate');

  const client = createClient(server.url.replace('127.0.0.1', 'localhost'));
  onTestFinished(() => client.close());
  const world = { client, advertisers, solved: new Map(), tickets: new Map(), now: Date.now, dwellMs: 0 };
  const visitor = createPlayer(world, { random: createRandom(1), address: '127.0.0.1' });
  await visitor.passCaptcha();
  const { link, answer } = await visitor.press();
  if (link === undefined) throw new Error(`No way to an advertiser: ${answer.status}`);
  const returnUrl = new URL(await advertisers.finish(link));
  const back = await visitor.comeBack(returnUrl.href);
  if (back.headers.refresh === undefined) throw new Error(`The return was not to wait: ${back.status}`);

  const { pathname, searchParams } = returnUrl;
  return {
    server,
    /** The ticket, the proof, and who brought them. */
    secrets: [pathname.split('/').at(-1), searchParams.get('hash'), visitor.hwid, visitor.zone],
    letGo: () => void database.exec('rollback'),
    /** Where the only run stands, and its attempt. */
    readStep: () =>
      database
        .prepare(
          'select run.step, step_attempt.id, step_attempt.state as attempt from run join step_attempt on run_id = run.id',
        )
        .get(),
  };
}
