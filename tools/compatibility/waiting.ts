import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { listen } from '../machine/free-port.ts';
import { openProduct } from './product.ts';
import { ask, compileGo, folderOf, ofDebian, programPath, PYTHON } from './programs.ts';
import { runTable, type RunTool } from './run.ts';

const OF_NPM = ['undici', 'got', 'ky', 'ofetch', 'axios-retry', 'retry-axios', 'fetch-retry', 'superagent'];
const OF_PYTHON = ['urllib3', 'requests', 'httpx'];

/** What a refusal asks for here. The product may ask for longer. */
const RETRY_AFTER_S = 2;
/** The longest that a call is held. */
const HOLD_S = 25;

/** How much earlier than told a call may arrive: clocks of two processes. */
const EARLY_S = 0.1;

/** Makes a call with a tool. Gives what its caller gets: `text` is empty where the body is lost. */
type Call = (method: string, url: string) => Promise<{ error?: string; text: string }>;

/**
 * Has clients make calls that are refused for a while, and one that is held.
 * @param only see `runTable`
 * @returns whether each does what docs/compatibility.md says
 */
export async function runWaiting(only?: string): Promise<boolean> {
  const product = await openProduct({ verdictsPerTenSeconds: 1 });
  const front = await openFront(product.site);
  try {
    return await runTable('Waiting', listTools(front), only);
  } finally {
    front.close();
    await product.close();
  }
}

function listTools(front: Front): Record<string, RunTool> {
  const asking = (command: string, ...args: string[]): Call => {
    return async (method, url) => (await ask(command, [...args, method, url], {})) as Awaited<ReturnType<Call>>;
  };
  const tools: Record<string, RunTool> = {
    retryablehttp: ofDebian('golang-github-hashicorp-go-retryablehttp-dev', () =>
      play('retryablehttp', asking(compileGo('waiting.go')), front),
    ),
    'HttpClient of Java': ofDebian('openjdk-17-jdk-headless', () =>
      play('java', asking('java', programPath('Waiting.java')), front),
    ),
    'curl --retry': ofDebian('curl', () => play('curl', curl, front)),
  };
  for (const name of OF_NPM) {
    tools[name] = async (version) => {
      const call = asking(process.execPath, programPath('waiting.mjs'), name, await folderOf(name, version));
      return { does: await play(name, call, front) };
    };
  }
  for (const name of OF_PYTHON)
    tools[name] = ofDebian(`python3-${name}`, () => play(name, asking(PYTHON, programPath('waiting.py'), name), front));
  return tools;
}

/** Makes a call with curl, which prints a body whatever its status is. */
const curl: Call = async (method, url) => {
  const posted = ['-H', 'content-type: application/json', '-d', '{"key":"k","hwid":"device-1234"}'];
  const args = ['-sS', '--retry', '3', '-H', 'prefer: wait=25', ...(method === 'POST' ? posted : []), url];
  return { text: (await promisify(execFile)('curl', args)).stdout };
};

async function play(name: string, call: Call, front: Front): Promise<string> {
  const held = call('GET', front.address(name, 'held'));
  const words: string[] = [];
  for (const [method, status] of [
    ['GET', 429],
    ['POST', 429],
    ['GET', 503],
  ] as const) {
    const kind = `${status}-${method}`;
    const { error, text } = await call(method, front.address(name, kind));
    const pauseS = front.pauseS(name, kind);
    const thrown = `throws, the answer is ${/KS_|unavailable/.test(text) ? 'in the error' : 'lost'}`;
    let did = error === undefined ? 'hands it on' : thrown;
    if (pauseS > 0) did = pauseS < RETRY_AFTER_S - EARLY_S ? 'tries again too early' : 'waits as told';
    if (pauseS > 0 && /KS_|unavailable/.test(text)) did += ', and gives both bodies';
    words.push(`${status} to ${method}: ${did}`);
  }
  const { error } = await held;
  return [...words, `a wait of ${HOLD_S} s: ${error === undefined ? 'waits' : 'gives up before'}`].join('; ');
}

type Front = Awaited<ReturnType<typeof openFront>>;

/**
 * A server in front of the product. It passes on the first refusal that the product has given, and what comes after it; each
 * client has an address and a device of its own.
 */
async function openFront(site: string) {
  const refusal = await provokeRefusal(site);
  const calls = new Map<string, number[]>();

  async function pass(req: IncomingMessage, res: ServerResponse, name: string): Promise<void> {
    const body = await buffer(req);
    const device = `hwid=device-${name}&zone=z`;
    const prefer = String(req.headers['prefer'] ?? '');
    const headers = { prefer, 'x-forwarded-for': `203.0.113.${10 + calls.size}`, 'content-type': 'application/json' };
    const isPost = req.method === 'POST';
    const path = isPost ? '/api/key/verify' : `/api/key?app=companion&${device}`;
    const answer = await fetch(site + path, { method: req.method ?? 'GET', headers, ...(isPost && { body }) });
    res.writeHead(answer.status, [...answer.headers].flat()).end(Buffer.from(await answer.arrayBuffer()));
  }

  const server = createServer((req, res) => {
    const [, name = '', kind = ''] = (req.url ?? '').split('/');
    const times = calls.get(`${name} ${kind}`) ?? [];
    calls.set(`${name} ${kind}`, times);
    times.push(performance.now() / 1000);
    if (kind === 'held' || times.length > 1) return void pass(req, res, name);
    req.resume();
    const { headers, body } = kind.startsWith('429') ? refusal : { headers: {}, body: 'unavailable' };
    res.writeHead(Number(kind.split('-')[0]), { ...headers, 'retry-after': String(RETRY_AFTER_S) }).end(body);
  });
  const port = await listen(server);

  return {
    address: (name: string, kind: string) => `http://127.0.0.1:${port}/${name}/${kind}`,
    /** How long a client waited before its second call; NaN without one. */
    pauseS(name: string, kind: string): number {
      const [first = NaN, second = NaN] = calls.get(`${name} ${kind}`) ?? [];
      return second - first;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Makes calls until the product refuses one. */
async function provokeRefusal(site: string) {
  const body = JSON.stringify({ key: 'k', hwid: 'device-1234', nonce: 'a-nonce-of-the-test' });
  for (;;) {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${site}/api/key/verify`, { method: 'POST', headers, body });
    if (answer.status === 429)
      return { headers: { 'content-type': answer.headers.get('content-type') ?? '' }, body: await answer.text() };
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  }
}
