import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from '../attack/world/client.ts';
import { pageOf, UnexpectedAnswer, type Player } from '../attack/players/player.ts';
import type { World } from '../attack/world/world.ts';

const STEPS = 6;
/** How long a visitor reads before pressing, and how long an advertiser takes, in milliseconds: from and to. */
const READING_TIME_MS = [2000, 8000] as const;
const ADVERTISER_TIME_MS = [12_000, 25_000] as const;
/** How long a page with its socket stays open. */
const PAGE_OPEN_MS = 60_000;

/** What visitors do, in the order of the table. */
export const ACTIONS = [
  'page',
  'socket',
  'captcha',
  'step start that opens a run',
  'later step start',
  'return',
  'state',
  'key',
] as const;
export type Action = (typeof ACTIONS)[number];

export interface Tally {
  times: number[];
  /** How often a visitor had to wait: 503, with the time after which the page asks again by itself. */
  waits: number;
  /** Every other failure, by what it was. */
  failed: Map<string, number>;
}

interface Visiting {
  tallies: Record<Action, Tally>;
  /** Whether the bench ends now, whatever a visitor still has before it. */
  isOver: () => boolean;
  /** Whether a visitor whose run has to wait comes back once more. */
  mayBegin: () => boolean;
  /** Called when a visitor's run begins, and whether it did so the first time that the visitor asked. */
  onBegin: (isAtOnce: boolean) => void;
}

export type VisitOutcome = 'key in hand' | 'still waits for a run' | 'gave up';

/** Opens the page and its socket, and plays a run at a person's pace. What has to wait is repeated as the page does it. */
export async function visit(
  site: World,
  player: Player,
  { tallies, isOver, mayBegin, onBegin }: Visiting,
): Promise<VisitOutcome> {
  const page = (path: string) =>
    timed(tallies.page, () => player.send(`${path}?${player.who()}`, { headers: { 'accept-encoding': 'br' } }));
  await page('/key-system-1');
  const isOpen = () => !isOver();
  let hasWaited = false;
  const beginLater = () => {
    hasWaited = true;
    return mayBegin();
  };
  const closeSocket = openSocket(site, player, tallies.socket);
  try {
    await pause(site, READING_TIME_MS);
    const captcha = await repeated(tallies.captcha, beginLater, () => passCaptcha(player));
    if (captcha === undefined) return 'still waits for a run';

    for (let step = 1; step <= STEPS; step++) {
      const started =
        step === 1
          ? await startStep(player, step, tallies['step start that opens a run'], beginLater)
          : await startStep(player, step, tallies['later step start'], isOpen);
      if (started === undefined) return step === 1 ? 'still waits for a run' : 'gave up';
      if (step === 1) onBegin(!hasWaited);

      await pause(site, ADVERTISER_TIME_MS);
      if (isOver()) return 'gave up';
      const back = await site.advertisers.finish(started);
      const answer = await repeated(tallies.return, isOpen, () => player.comeBack(back));
      await page(new URL(answer?.location ?? '/', 'http://localhost').pathname);
      await repeated(tallies.state, isOpen, () => player.send(`/api/keysystem/state?${player.who()}&app=main`));
      if (!answer) return 'gave up';
      if (pageOf(answer.location).name !== 'step') break;
      await pause(site, READING_TIME_MS);
    }
    const key = await timed(tallies.key, () => player.send(`/api/key?${player.who()}&app=main`, { headers: {} }));
    return (JSON.parse(key.text) as { status: string }).status === 'active' ? 'key in hand' : 'gave up';
  } finally {
    closeSocket();
  }
}

/** Presses Complete. Returns the link to an advertiser; undefined when the run has to wait and no more are to begin. */
async function startStep(player: Player, step: number, tally: Tally, mayBegin: () => boolean) {
  const query = new URLSearchParams({ ...Object.fromEntries(player.who()), advertiser: 'linkvertise', os: 'android' });
  if (step > 1) query.set('step', String(step));
  const answer = await repeated(tally, mayBegin, () => player.send(`/api/keysystemv2?${query}`));
  if (answer?.location?.startsWith('/')) return fail(tally, `led to ${pageOf(answer.location).notice ?? ''}`);
  return answer?.location;
}

/** Passes the captcha. One that is not given answers as the server did. */
async function passCaptcha(player: Player): Promise<Asked> {
  try {
    const answer = await player.handIn(await player.solveCaptcha({ triesLeft: 0 }));
    return answer.status === 200 && answer.text !== 'true' ? { status: 400 } : answer;
  } catch (error) {
    if (error instanceof UnexpectedAnswer && error.status === 503) return error;
    throw error;
  }
}

/** What the bench reads of an answer. */
interface Asked {
  status: number;
  headers?: Answer['headers'];
}

/**
 * Asks until the server no longer says 503, as the site's pages do.
 * @param mayRepeat whether to ask once more
 * @returns undefined when there was no other answer
 */
async function repeated<Result extends Asked>(
  tally: Tally,
  mayRepeat: () => boolean,
  ask: () => Promise<Result>,
): Promise<Result | undefined> {
  for (;;) {
    const answer = await timed(tally, ask, true);
    if (answer.status !== 503) return answer;

    tally.waits++;
    await wait(Number(answer.headers?.refresh ?? answer.headers?.['retry-after'] ?? 5) * 1000);
    if (!mayRepeat()) return undefined;
  }
}

/** Asks, and notes how long the answer took, or why there was none. What has to wait is not counted here. */
async function timed<Result extends Asked>(tally: Tally, ask: () => Promise<Result>, mayWait = false): Promise<Result> {
  const startedAt = performance.now();
  const answer = await ask().catch((error: unknown) => fail(tally, reasonOf(error)));
  if (answer.status === 503 && mayWait) return answer;
  if (answer.status >= 400) return fail(tally, `${answer.status}`);
  tally.times.push(performance.now() - startedAt);
  return answer;
}

/** Without the rest of an answer, which is another one for each visitor. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? (/^[^{]*/.exec(error.message)?.[0] ?? '').trim() : 'failed';
}

function fail(tally: Tally, why: string): never {
  tally.failed.set(why, (tally.failed.get(why) ?? 0) + 1);
  throw new Error(why);
}

/**
 * Opens the socket of a page for as long as a page stays open. What the server tells it stays unread: to read ten thousand
 * sockets would be work of ten thousand phones. Returns what closes it before.
 */
function openSocket({ client }: World, { address }: Player, tally: Tally): () => void {
  const startedAt = performance.now();
  const { host, port } = new URL(client.baseUrl);
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  socket.once('data', (head) => {
    socket.pause();
    if (head.toString('latin1').startsWith('HTTP/1.1 101 ')) tally.times.push(performance.now() - startedAt);
    else failed(head.toString('latin1').slice(0, 12));
  });
  const failed = (why: string) => tally.failed.set(why, (tally.failed.get(why) ?? 0) + 1);
  socket.on('error', ({ message }) => failed(message));
  socket.write(
    [
      'GET / HTTP/1.1',
      `Host: ${host}`,
      `Origin: ${client.baseUrl}`,
      `X-Forwarded-For: ${address}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      '\r\n',
    ].join('\r\n'),
  );
  const close = () => void socket.destroy();
  const timer = setTimeout(close, PAGE_OPEN_MS);
  return () => {
    clearTimeout(timer);
    close();
  };
}

const pause = ({ random }: World, [from, to]: readonly [number, number]) => wait(from + random.int(to - from));
