import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Router } from 'express';
import { createLog } from './log.ts';
import { expect, test, vi } from 'vitest';
import exampleSettings from '#api/product/advertisers/advertisers-settings.example.json' with { type: 'json' };
import { PAGE_SITE } from '#api/test/delivery/page-site.ts';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import {
  finishAtAdvertiser,
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  walkRun,
  walkStep,
} from '#api/test/product/visitor-steps.ts';

const SECRET = exampleSettings.lootlabs.postbackSecret;
const DEVICE = 'Device_of_a_visitor_0123456789';
const INVENTED_TICKET = 'invented_ticket_that_was_never_handed_out_01';

/** The same API, with a list of all tickets and postback secrets in the requested addresses. */
function watch(api: TestApi): { api: TestApi; secrets: string[] } {
  const secrets: string[] = [];
  const note = (path: string) => {
    const secret = /\/(?:return|postback)\/([^/?]+)/.exec(path)?.[1];
    if (secret !== undefined) secrets.push(secret);
  };

  return {
    secrets,
    api: {
      ...api,
      ask: (path, init) => (note(path), api.ask(path, init)),
      visit: (path, headers, method) => (note(path), api.visit(path, headers, method)),
    },
  };
}

function expectNone({ logged }: TestApi, secrets: string[]): void {
  const log = logged.join();
  expect(log).toContain('/api/keysystem/');
  expect(secrets.length).toBeGreaterThan(0);
  for (const secret of secrets) expect(log).not.toContain(secret);
}

test('no ticket of a whole run is logged, also when requests fail', async () => {
  const { api, secrets } = watch(await createTestApi());
  await walkRun(api);
  await passCaptcha(api, { hwid: 'device-5678' });
  await walkStep(api, { hwid: 'device-5678', advertiser: 'lootlabs' });
  await walkStep(api, { hwid: 'device-5678', advertiser: 'lootlabs', step: 2 }, 'wrong_proof');

  expectNone(api, secrets);
});

test('the thumbprint of a key is logged, because operators compare it', () => {
  const lines: string[] = [];
  const thumbprint = 'a'.repeat(43);

  createLog({ write: (line: string) => void lines.push(line) }).info({ thumbprint, other: thumbprint }, 'signing');

  expect(lines.join()).toContain(`"thumbprint":"${thumbprint}","other":"***"`);
});

test('neither a ticket nor the postback’s secret is logged on an internal error', async () => {
  const { api, secrets } = watch(await createTestApi());
  await passCaptcha(api);
  const link = await clickComplete(api);
  api.pass(LONG_ENOUGH_MS);
  const address = await finishAtAdvertiser(api, link);
  await api.db.destroy();

  expect((await api.visit(address)).status).toBeGreaterThanOrEqual(500);
  expectNone(api, secrets);
});

/** OPTIONS is answered for every path. */
const METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS'];

test.each([
  `/api/keysystem/return/${INVENTED_TICKET}`,
  `/api/keysystem/return//${INVENTED_TICKET}`,
  `/api/keysystem/return/x/${INVENTED_TICKET}`,
  `/API/KeySystem/RETURN/${INVENTED_TICKET}/`,
  `/api/keysystem/%72eturn/${INVENTED_TICKET.slice(0, 43)}`,
  `/api/keysystem/return%2F${INVENTED_TICKET}`,
  `/api/keysystem/return/${INVENTED_TICKET}%E0%A4%A`,
  `/key-system-1/${INVENTED_TICKET.slice(0, 43)}`,
  `/api/keysystem/postback/${SECRET}`,
  `/api/keysystem/postback//${SECRET}?click_id=a&unique_id=b`,
  `/api/postback/${SECRET}`,
  `/api/keysystem/postbacks/${SECRET}`,
])('tickets and secrets in mistyped addresses are not logged: %s', async (path) => {
  const api = await createTestApi({ advertisers: exampleSettings });
  for (const method of METHODS) await api.visit(path, {}, method);

  await expect.poll(() => api.logged.filter((line) => line.includes('"msg":"request"'))).toHaveLength(4);
  expect(api.logged.join()).not.toContain(INVENTED_TICKET.slice(0, 43));
  expect(api.logged.join()).not.toContain(SECRET);
});

test.each([
  `/key-system-1%3Fhwid=${DEVICE}%26zone=${DEVICE}`,
  `/key-system-1&hwid=${DEVICE}`,
  `/key-system-1/${DEVICE}`,
  `/getkey/${DEVICE}`,
  `/api/key/${DEVICE}`,
  `/api/key%3Fhwid=${DEVICE}`,
  `/api/keysystem/state/hwid=${DEVICE}`,
  `/download/${DEVICE}/${DEVICE}`,
  `/content/${DEVICE}`,
  `/releases/${DEVICE}`,
  `/${INVENTED_TICKET.slice(0, 43)}-`,
  `/somewhere/${INVENTED_TICKET.slice(0, 43)}-`,
  `/api/keysystem/post%62ack/${SECRET}`,
  `/api/keysystem/%70ostback/${SECRET}`,
])('input mistakenly put into an address is not logged: %s', async (path) => {
  const api = await createTestApi({
    advertisers: exampleSettings,
    files: PAGE_SITE,
  });
  for (const method of METHODS) await api.visit(path, {}, method);

  await expect.poll(() => api.logged).toHaveLength(4);
  for (const secret of [DEVICE, INVENTED_TICKET.slice(0, 43), SECRET]) expect(api.logged.join()).not.toContain(secret);
});

test.each([
  { asked: '/key-system-1?hwid=device', logged: '/key-system-1' },
  { asked: '/rosaverx/key-system-1', logged: '/rosaverx/key-system-1' },
  { asked: '/api/keysystem/state?hwid=device', logged: '/api/keysystem/state' },
  { asked: '/api/keysystem/state/', logged: '/api/keysystem/state' },
  { asked: '/download/main/windows', logged: '/download/:app/:platform' },
  { asked: '/readyz', logged: '/readyz' },
  { asked: '/nowhere/else', logged: '/nowhere' },
  { asked: '/device-abcdef-1', logged: '' },
  { asked: '/stats_o3GAEDgCQEc6-X8SBH', logged: '' },
])('the log line of $asked contains $logged', async ({ asked, logged }) => {
  const api = await createTestApi({ files: PAGE_SITE });
  await api.visit(asked);

  await expect.poll(() => api.logged.map((line) => (JSON.parse(line) as { path?: string }).path)).toEqual([logged]);
});

test('an error that quotes a ticket is logged without it, even after half of the response is sent', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const ticket = INVENTED_TICKET.slice(0, 43);
  const failing = Router()
    .get('/failing', () => {
      throw new Error(`no row for ${ticket}`, { cause: new Error(`/api/keysystem/return/${ticket}`) });
    })
    .get('/half', (_req, res) => {
      res.write('half');
      throw new Error(`no row for "${ticket}"`);
    });
  const api = await createTestApi({ files: [failing] });
  await api.ask('/failing');
  await api
    .ask('/half')
    .then((res) => res.text())
    .catch(() => 'cut');

  await expect.poll(() => api.logged.filter((line) => line.includes('no row for'))).toHaveLength(2);
  expect(api.logged.join()).not.toContain(ticket);
  expect(said).not.toHaveBeenCalled();
});

/** The begin of a program that logs to its standard output. */
const LOG_PROGRAM = `
    const { createLog } = await import(${JSON.stringify(new URL('log.ts', import.meta.url).href)});
    const log = createLog();`;

test('a line is written soon, though no other follows, and the last ones before a crash are', async () => {
  const program = `${LOG_PROGRAM}
    log.info('first');
    process.stdin.once('data', () => {
      log.info('last');
      throw new Error('crash');
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  child.stdin.write('go on');

  expect(String(first)).toContain('"msg":"first"');
  expect(await text(child.stdout)).toContain('"msg":"last"');
});

test('while the disk of the log is full, a process keeps running in bounded memory, and can exit', () => {
  const program = `${LOG_PROGRAM}
    for (let line = 0; line < 200; line++) {
      log.info('A long line. '.repeat(20_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    process.stderr.write('went on');`;
  const full = openSync('/dev/full', 'w');
  const options = ['--max-old-space-size=24', '--input-type=module', '--eval', program];
  const { stderr, status } = spawnSync(process.execPath, options, {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
    timeout: 15_000,
  });
  closeSync(full);

  expect({ stderr, status }).toEqual({ stderr: 'went on', status: 0 });
});
