/** Runs the client and the verifier for the tests, as samples/test-protocol.md says: `node harness.ts verify`, or `client`. */
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { KeyClient, Refusal } from '../key-client.ts';
import {
  verifyKey,
  verifyVerdict,
  type CheckedVerdict,
  type Jwks,
  type KeyCheck,
  type VerdictCheck,
} from '../verify-key.mjs';

interface Vectors {
  common: Omit<KeyCheck & VerdictCheck, 'verdict'>;
  vectors: object[];
  verdicts: { verdict: string }[];
}

const tell = (...words: unknown[]) => void process.stdout.write(`${words.join(' ').trim()}\n`);

async function verifyAll(): Promise<void> {
  const { common, vectors, verdicts } = JSON.parse(await text(process.stdin)) as Vectors;
  const raised = (error: unknown) => ({ code: `raised ${String(error)}` });
  for (const vector of vectors) tell((await verifyKey({ ...common, ...vector }).catch(raised)).code);
  for (const vector of verdicts) {
    const { code, highWater }: CheckedVerdict = await verifyVerdict({ ...common, ...vector }).catch(raised);
    tell(code, highWater ?? '');
  }
}

async function playAll(): Promise<void> {
  const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
  const read = async () => (await lines.next()).value ?? '';
  for (let round = await read(); round; round = await read()) {
    await play(round, read).catch((error: unknown) =>
      error instanceof Refusal ? tell('refused', error.code) : tell('raised', String(error)),
    );
    tell('done');
  }
}

async function play(round: string, read: () => Promise<string>): Promise<void> {
  const [site = '', app = '', hwid = '', zone = '', timeout, offset, highWater, cached = '', keys = ''] =
    round.split(' ');
  const clock = () => Date.now() / 1000 + Number(offset);
  const wait = (seconds: number) => {
    tell('wait', seconds);
    return read();
  };
  const options = { site, app: app as 'main', hwid, zone, timeout: Number(timeout), highWater: Number(highWater) };
  const fetched = () => new KeyClient({ ...options, jwks: { keys: [] } }).publicKeys();
  const jwks = keys === '-' ? await fetched() : (JSON.parse(keys) as Jwks);
  const client = new KeyClient({ ...options, jwks, wait, clock });

  tell('link', client.link());
  if (cached !== '-') {
    const { code } = await client.open(cached, () => tell('opened'));
    tell('open', code);
    if (code === 'VALID') return tell('high water', client.highWater);
  }

  const answer = await client.waitForKey(
    (heard) => tell('answer', heard.status, 'step' in heard ? heard.step : ''),
    (reason, seconds) => tell('waiting', reason, seconds),
  );
  if (answer.status === 'active') {
    const check = { key: answer.key, hwid, app, jwks, now: clock(), highWater: client.highWater };
    tell('offline', (await verifyKey(check)).code);
    tell('offline elsewhere', (await verifyKey({ ...check, hwid: 'another-device' })).code);
    tell('online', (await client.checkOnline(answer.key)).code);
  }
  tell('high water', client.highWater);
}

await (process.argv[2] === 'verify' ? verifyAll() : playAll());
