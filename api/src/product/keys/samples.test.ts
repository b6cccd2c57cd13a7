import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { listen } from '#api/test/listen.ts';
import { HWID, passCaptcha, clickComplete, walkStep, ZONE } from '#api/test/product/visitor-steps.ts';
import { KeyClient, Refusal } from '../../../../samples/typescript/key-client.ts';
import { verifyKey } from '../../../../samples/typescript/verify-key.mjs';
import { luaPath, pythonPath } from '../../../../tools/machine/interpreters.ts';

const SAMPLES = fileURLToPath(new URL('../../../../samples/', import.meta.url));

/** The usual pause between two requests, which the tests leave out. */
const USUAL_WAIT = 'wait 5';

/**
 * Runs a sample's client for a device.
 * @returns a line for each thing that it did
 */
type Play = (site: string, app: 'main' | 'companion', onWait: () => Promise<void>, hwid?: string) => Promise<string[]>;

const CLIENTS: { language: string; play: Play; isOffline: boolean }[] = [
  { language: 'TypeScript', play: playTypeScript, isOffline: true },
  {
    language: 'Python',
    play: (...what) => playProgram(pythonPath(), ['harness.py', 'client'], ...what),
    isOffline: true,
  },
  { language: 'Lua', play: (...what) => playProgram(luaPath(), ['harness.lua'], ...what), isOffline: false },
];

describe.each(CLIENTS)('the sample in $language', ({ play, isOffline }) => {
  test('opens the page, waits for the key step by step, and checks it', async () => {
    const api = await createTestApi();

    const told = await play(api.origin, 'main', walkOn(api, 'main'));

    expect(told[0]).toBe(`link ${api.origin}/key-system-1?hwid=${HWID}&zone=${ZONE}`);
    expect(told.slice(1, 9)).toEqual([
      'answer none',
      ...[1, 2, 3, 4, 5, 6].map((step) => `answer in_progress ${step}`),
      'answer active',
    ]);
    expect(told).toContain('online VALID');
    if (!isOffline) return;

    expect(told).toContain('offline VALID');
    expect(told).toContain('offline elsewhere DEVICE_MISMATCH');
    expect(Number(told.at(-1)?.replace('high water ', ''))).toBe(api.now() / 1000);
  });

  test('names its app, so that the companion comes to its key', async () => {
    const api = await createTestApi();

    const told = await play(api.origin, 'companion', walkOn(api, 'companion'));

    expect(told[0]).toBe(`link ${api.origin}/rosaverx/key-system-1?hwid=${HWID}&zone=${ZONE}`);
    expect(told).toContain('answer active');
    expect(told).toContain('online VALID');
  });

  test('says what was wrong with a question that the server refuses', async () => {
    const api = await createTestApi();

    expect(await play(api.origin, 'main', () => Promise.resolve(), 'short')).toContain('refused KS_HWID');
  });

  test('waits for as long as a server that is busy says', async () => {
    let asked = 0;
    const busy: RequestListener = (_req, res) => {
      asked += 1;
      if (asked > 1)
        return void res.end(
          JSON.stringify({ status: 'blocked', until: null, reason: 'KS_BLOCKED', app: 'main', now: 1000 }),
        );
      res.writeHead(503, { 'retry-after': '7' }).end('{}');
    };

    const told = await play(await listen(busy), 'main', () => Promise.resolve());

    expect(told.slice(1)).toEqual(['wait 7', 'answer blocked']);
  });
});

test('the verifier in Python gives every vector its code', async () => {
  const file = readFileSync(`${SAMPLES}verify-key/vectors.json`, 'utf8');
  const { vectors } = JSON.parse(file) as { vectors: { code: string }[] };
  const python = spawn(pythonPath(), [`${SAMPLES}key-client/test/harness.py`, 'verify'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  python.stdin.end(file);

  expect(JSON.parse(await text(python.stdout))).toEqual(vectors.map(({ code }) => code));
});

/**
 * A visitor who does one thing each time the app waits: first the captcha and the first step start, then a step each
 * time.
 */
function walkOn(api: TestApi, app: 'main' | 'companion'): () => Promise<void> {
  const companion = app === 'companion';
  let step = 0;
  return async () => {
    if (step === 0) await passCaptcha(api);
    // The first step start is a turn of its own, so that the app sees step 1.
    if (step === 0) await clickComplete(api, { companion });
    else await walkStep(api, { companion, ...(step === 1 ? {} : { step }) });
    step += 1;
  };
}

async function playTypeScript(
  site: string,
  app: 'main' | 'companion',
  onWait: () => Promise<void>,
  hwid = HWID,
): Promise<string[]> {
  const told: string[] = [];
  const tell = (...words: unknown[]) => void told.push(words.join(' ').trim());
  const wait = (seconds: number) => {
    if (`wait ${seconds}` !== USUAL_WAIT) tell('wait', seconds);
    return onWait();
  };
  const client = new KeyClient({ site, app, hwid, zone: ZONE, wait });
  tell('link', client.link());
  try {
    const answer = await client.waitForKey((heard) => tell('answer', heard.status, 'step' in heard ? heard.step : ''));
    if (answer.status !== 'active') return told;

    const check = {
      key: answer.key,
      app,
      jwks: await client.publicKeys(),
      now: Date.now() / 1000,
      highWater: client.highWater,
    };
    tell('offline', (await verifyKey({ ...check, hwid })).code);
    tell('offline elsewhere', (await verifyKey({ ...check, hwid: 'another-device' })).code);
    tell('online', (await client.checkOnline(answer.key)).code);
    tell('high water', client.highWater);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    tell('refused', error.code);
  }
  return told;
}

/**
 * Runs a sample in its own language. Each time it waits, the visitor takes a turn. The test makes the HTTP requests for
 * samples that cannot.
 */
async function playProgram(
  program: string,
  [harness = '', ...args]: string[],
  site: string,
  app: string,
  onWait: () => Promise<void>,
  hwid = HWID,
): Promise<string[]> {
  const told: string[] = [];
  const child = spawn(program, [`${SAMPLES}key-client/test/${harness}`, ...args, site, app, hwid, ZONE], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();

  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const [word = '', ...rest] = line.value.trim().split(' ');
    if (word === 'request') {
      child.stdin.write(await request(rest[0], rest[1], (await lines.next()).value));
    } else {
      if (line.value !== USUAL_WAIT) told.push(line.value.trim());
      if (word === 'wait') child.stdin.write(await onWait().then(() => '\n'));
    }
  }
  expect(await ended).toEqual([0, null]);
  return told;
}

async function request(method = 'GET', url = '', body = ''): Promise<string> {
  const headers = { 'content-type': 'application/json', 'api-version': '1' };
  const answer = await fetch(url, { method, headers, ...(body && { body }) });
  return `${answer.status} ${answer.headers.get('retry-after') ?? ''}\n${await answer.text()}\n`;
}
