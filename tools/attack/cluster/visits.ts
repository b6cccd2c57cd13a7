import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Cluster } from '../../cluster/open-cluster.ts';
import { setTimeout as wait } from 'node:timers/promises';

/** How many requests are looked up in the logs, and how long the last of them may be missing there. */
const LOOKED_UP = 12;
const LOGGED_MS = 5000;
/** More than both servers together let through. */
const UNKNOWN_RETURNS = 60;

/** Loads a page, reads a state, or checks a key. Returns what went wrong. */
export async function visitOnce(url: string, nth: number): Promise<string | undefined> {
  const device = `hwid=visitor-${nth}&zone=zone`;
  const body = JSON.stringify({ key: 'no key', hwid: `visitor-${nth}`, app: 'main' });
  const asks: [path: string, init: RequestInit][] = [
    [`/key-system-1?${device}`, {}],
    [`/api/keysystem/state?${device}`, {}],
    ['/api/key/verify', { method: 'POST', headers: { 'content-type': 'application/json' }, body }],
  ];
  const [path, init] = asks[nth % asks.length] ?? ['/', {}];
  return fetch(url + path, init).then(
    async (answer) => {
      await answer.text();
      return answer.status >= 500 ? `${init.method ?? 'GET'} ${path} was answered ${answer.status}` : undefined;
    },
    (error: unknown) => `${init.method ?? 'GET'} ${path}: ${String(error)}`,
  );
}

/** Checks what the proxy is there for: sockets, and that no client chooses the network that a limit counts. */
export async function checkProxy({ url }: Cluster, findings: string[]): Promise<void> {
  const socket = new WebSocket(url.replace('http:', 'ws:'), { origin: url });
  const [message] = (await once(socket, 'message')) as [Buffer];
  socket.terminate();
  if (!/"online":\d+/.test(message.toString())) findings.push(`A socket was told ${message.toString()}`);

  const answers = new Set<string>();
  for (let nth = 0; nth < UNKNOWN_RETURNS; nth++) {
    const ticket = `unknown-ticket-that-was-never-given-${nth % 10}`.slice(0, 43);
    const answer = await fetch(`${url}/api/keysystem/return/${ticket}`, {
      redirect: 'manual',
      headers: { 'x-forwarded-for': `203.0.113.${nth}` },
    });
    answers.add(`${answer.status} ${answer.headers.get('location')}`);
  }
  if (answers.size < 2)
    findings.push(`A forged X-Forwarded-For counts: ${UNKNOWN_RETURNS} times ${[...answers].join()}`);
}

/** Checks that the id which nginx gave a request stands in the log of the server that answered it, and nowhere else. */
export async function checkRequestIds({ url, nginx, servers }: Cluster, findings: string[]): Promise<void> {
  // What a visitor says of the id counts for nothing.
  const headers = { 'x-request-id': '0123456789abcdef0123456789abcdef' };
  const ids: string[] = [];
  for (let nth = 0; nth < LOOKED_UP; nth++) {
    // An error names the id of its request.
    const answer = await fetch(`${url}/api/none`, { headers });
    ids.push(((await answer.json()) as { ref: string }).ref);
  }

  const isLogged = (id: string) => {
    const line = nginx.lines().find(({ requestId }) => requestId === id);
    return servers.every((server) => {
      const own = server.logged().map((said) => JSON.parse(said) as Record<string, unknown>);
      const found = own.filter(({ msg, requestId }) => msg === 'request' && requestId === id);
      const isItsOwn = server.url === `http://${String(line?.['servers'])}`;
      return isItsOwn ? found.length === 1 && found[0]?.['status'] === line?.['status'] : line && found.length === 0;
    });
  };
  const until = Date.now() + LOGGED_MS;
  while (!ids.every(isLogged) && Date.now() < until) await wait(50);
  for (const id of ids)
    if (!isLogged(id)) findings.push(`The request ${id} is not in the logs of nginx and of its server alone`);
  if (ids.includes(headers['x-request-id'])) findings.push('A visitor has chosen the id of a request');
}
