import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '#api/test/listen.ts';
import { openReleaseTerminal } from '#api/test/programs/open-release-terminal.ts';

test('a busy or rate-limited site is retried after its Retry-After with the whole release', async () => {
  const { api, typeAt, build, waits } = await openReleaseTerminal();
  let asked = 0;
  const site = await listen((req, res) => {
    asked++;
    if (asked === 3) return void pipe(req, res, api.origin);
    req.resume().on('end', () =>
      res
        .writeHead(asked === 1 ? 429 : 503, {
          'content-type': 'application/problem+json',
          'retry-after': String(asked * 7),
        })
        .end(JSON.stringify({ ...BUSY_PROBLEM, detail: 'Other releases are coming in; try again in a moment.' })),
    );
  });

  build('1.0.0');
  const { code, err } = await typeAt(site, 'publish', 'tools');
  expect([code, waits]).toEqual([0, [7, 14]]);
  expect(err).toContain('Other releases are coming in; try again in a moment. Trying again in 14 s.');
});

test.each([
  ['a site that is busy and does not say for how long is asked again after ten seconds', 'of ours', [10]],
  ['a server on the way that is busy is not waited for: it may be no site of ours', '<h1>Busy</h1>', []],
])('%s', async (_what, body, waited) => {
  const { api, typeAt, build, waits } = await openReleaseTerminal();
  let isBusy = true;
  const site = await listen((req, res) => {
    if (!isBusy) return void pipe(req, res, api.origin);
    isBusy = false;
    const text = body === 'of ours' ? JSON.stringify(BUSY_PROBLEM) : body;
    req.resume().on('end', () => res.writeHead(503).end(text));
  });

  build('1.0.0');
  const { code } = await typeAt(site, 'publish', 'tools');
  expect([code, waits]).toEqual([waited.length > 0 ? 0 : 1, waited]);
});

test('retries of a busy site stop after five minutes of the clock, however short the pauses are', async () => {
  const { typeAt, build, waits, pass } = await openReleaseTerminal();
  const site = await listen((req, res) => {
    pass(20);
    req.resume().on('end', () => res.writeHead(503, { 'retry-after': '1' }).end(JSON.stringify(BUSY_PROBLEM)));
  });

  build('1.0.0');
  expect(await typeAt(site, 'publish', 'tools')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Type the same again in a while.') as string,
  });
  expect(waits).toHaveLength(14);
});

test('a broken upload is retried, because a busy site may disconnect before it has read the request', async () => {
  const { api, typeAt, build, waits } = await openReleaseTerminal();
  let asked = 0;
  const site = await listen((req, res) => {
    if (++asked === 4) pipe(req, res, api.origin);
    else if (asked === 3) req.resume().on('end', () => res.writeHead(502).end('<h1>Bad Gateway</h1>'));
    else if (asked === 2) req.socket.destroy();
    else {
      res.writeHead(503, { connection: 'close' }).end(JSON.stringify(BUSY_PROBLEM));
      req.socket.destroySoon();
    }
  });

  build('1.0.0');
  const { code, err } = await typeAt(site, 'publish', 'tools');
  expect([code, waits]).toEqual([0, [10, 10, 10]]);
  expect(err).toContain(`The connection to ${site} broke before the answer. Trying again in 10 s.`);
});

test('a request is retried when the site restarts between two requests', async () => {
  const { api, typeAt, build, waits, onWait } = await openReleaseTerminal();
  let asked = 0;
  const passOn = (req: IncomingMessage, res: ServerResponse) => {
    asked++;
    // From now on nothing answers there; this request is.
    if (asked === 1) server.close();
    req.headers.connection = 'close';
    pipe(req, res, api.origin);
  };
  const server = createServer(passOn);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onWait(async () => {
    const again = createServer(passOn);
    again.listen(port, '127.0.0.1');
    await once(again, 'listening');
    onTestFinished(() => void again.close());
  });

  build('1.0.0');
  const { code, err } = await typeAt(`http://127.0.0.1:${port}`, 'publish', 'tools', '--promote');
  expect([code, waits, asked]).toEqual([0, [10], 2]);
  expect(err).toContain('Nothing answers at');
});

test('a site that breaks every upload is given up after three retries', async () => {
  const { typeAt, build, waits } = await openReleaseTerminal();
  const site = await listen((req) => req.socket.destroy());

  build('1.0.0');
  expect((await typeAt(site, 'publish', 'tools')).err).toContain('Type the same again: what is done');
  expect(waits).toEqual([10, 10, 10]);
});

test('an endless response is not read to its end', async () => {
  const { typeAt } = await openReleaseTerminal();
  let sent = 0;
  const site = await listen((_req, res) => {
    const more = () => {
      while (!res.destroyed && res.write(' '.repeat(1_000_000))) sent++;
    };
    res.writeHead(200).on('drain', more);
    more();
  });

  expect((await typeAt(site, 'list')).err).toBe(
    `${site} answers with more than 16 MB, and not as this product does: check the address.`,
  );
  expect(sent).toBeLessThan(100);
});

const UNSAFE_TEXT = '\u001b[2J\u009b2Jgone\r\nDone.\u202e\u2028';
const SAFE_TEXT = ' [2J 2Jgone  Done.  ';

test('text from the site cannot steer the terminal or imitate a line of the tool', async () => {
  const { typeAt, build } = await openReleaseTerminal();
  const answers: unknown[] = [
    { ...BUSY_PROBLEM, status: 400, detail: UNSAFE_TEXT },
    { ...BUSY_PROBLEM, status: 400, title: UNSAFE_TEXT },
    { ...BUSY_PROBLEM, status: 400, problems: [UNSAFE_TEXT, UNSAFE_TEXT] },
    { ...BUSY_PROBLEM, status: 500, ref: UNSAFE_TEXT },
    { ...BUSY_PROBLEM, status: 422, problems: ['/a throws: Error\n    at page.js\nDone.'] },
    {
      outcome: 'moved',
      channels: {
        unit: 'tools',
        stable: UNSAFE_TEXT,
        canary: null,
        lastGood: null,
        halted: null,
        lock: null,
        paths: [],
        moved: null,
      },
    },
  ];
  const site = await listen((_req, res) => {
    const answer = answers.shift() as { status?: number };
    res.writeHead(answer.status ?? 200).end(JSON.stringify(answer));
  });

  build('1.0.0');
  const tell = async () => {
    const { out, err } = await typeAt(site, 'promote', 'tools');
    return out + err;
  };
  expect(await tell()).toBe(SAFE_TEXT.trimEnd());
  expect(await tell()).toBe(`${SAFE_TEXT}.`);
  expect(await tell()).toBe(`${SAFE_TEXT}\n${SAFE_TEXT}`.trimEnd());
  expect(await tell()).toContain(`logged it as ${SAFE_TEXT}.`);
  // A stack has lines of its own.
  expect(await tell()).toBe('/a throws: Error\n    at page.js Done.');
  expect(await tell()).toContain(`stable ${SAFE_TEXT},`);
});

const BUSY_PROBLEM = {
  type: '/errors#server.busy',
  title: 'Busy',
  status: 503,
  code: 'server.busy',
  retryable: true,
  ref: 'r',
  now: 1,
};

/** Passes a request on to another server, and its answer back. */
function pipe(req: IncomingMessage, res: ServerResponse, origin: string): void {
  const { method, headers, url } = req;
  const passed = { ...headers, host: new URL(origin).host };
  const onward = request(new URL(url ?? '', origin), { method, headers: passed }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  req.pipe(onward);
}
