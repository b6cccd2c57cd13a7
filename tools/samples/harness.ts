import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** What a client is told before it begins: see samples/test-protocol.md. */
export interface Round {
  site: string;
  app: string;
  hwid: string;
  zone: string;
  /** In seconds. */
  timeout?: number;
  /** What is added to the device's clock, in seconds. */
  clock?: number;
  highWater?: number;
  cachedKey?: string;
  /** The public keys that the app has. Without them it fetches them. */
  jwks?: unknown;
}

/** Has a harness check the vectors. Returns their codes. */
export async function runVectors([program = '', ...args]: string[], vectors: string): Promise<string[]> {
  const child = spawn(program, [...args, 'verify'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(vectors);
  return (await text(child.stdout)).trim().split('\n');
}

/**
 * A sample's client in its own language. Time is the test's: whenever the client waits, the test decides what happens
 * meanwhile. For languages without HTTP it sends the requests.
 */
export function startHarness([program = '', ...args]: string[]) {
  const child = spawn(program, [...args, 'client'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  // A program that has ended is told of by the line that does not come.
  child.stdin.on('error', () => {});

  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The harness ended: ${String(await ended)}`);
    return value.trim();
  };

  return {
    /** Plays a round. Returns a line for each thing that the client did. */
    async play(
      round: Round,
      onWait: (seconds: number, told: readonly string[]) => Promise<unknown>,
    ): Promise<string[]> {
      const { site, app, hwid, zone, timeout = 10, clock = 0, highWater = 0, cachedKey = '-', jwks } = round;
      const keys = jwks === undefined ? '-' : JSON.stringify(jwks);
      child.stdin.write(`${[site, app, hwid, zone, timeout, clock, highWater, cachedKey, keys].join(' ')}\n`);

      const told: string[] = [];
      for (let line = await read(); line !== 'done'; line = await read()) {
        const [word, ...rest] = line.split(' ');
        if (word === 'request') {
          child.stdin.write(await request(Number(rest[0]), rest.slice(1), await read()));
          continue;
        }
        told.push(line);
        if (word !== 'wait') continue;
        await onWait(Number(rest[0]), told);
        child.stdin.write('\n');
      }
      return told;
    },

    /** Lets the program end. Returns its exit code. */
    async end(): Promise<unknown> {
      child.stdin.end();
      return (await ended)[0];
    },

    kill: () => child.kill('SIGKILL'),
  };
}

/** Sends a request for a language without HTTP, and writes what came as the protocol says. */
async function request(
  timeout: number,
  [method = 'GET', url = '', prefer = '']: string[],
  body = '',
): Promise<string | Buffer> {
  const headers = { 'content-type': 'application/json', 'api-version': '1', prefer };
  try {
    const signal = AbortSignal.timeout(timeout * 1000);
    const answer = await fetch(url, { method, headers, signal, ...(body && { body }) });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const told = [...answer.headers].map(([name, value]) => `${name}: ${value}\n`).join('');
    return Buffer.concat([Buffer.from(`${answer.status} ${bytes.length}\n${told}\n`), bytes, Buffer.from('\n')]);
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'timeout\n' : 'error\n';
  }
}
