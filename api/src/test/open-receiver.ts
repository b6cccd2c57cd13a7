import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Starts a receiver of webhooks, until the test is over. */
export async function openReceiver(
  answer: (res: ServerResponse, received: ReceivedRequest) => void = (res) => void res.writeHead(204).end(),
) {
  const received: ReceivedRequest[] = [];
  const origin = await listen((req, res) => {
    void text(req).then((body) => {
      const message = { path: req.url ?? '', headers: req.headers, body };
      received.push(message);
      answer(res, message);
    });
  });
  return { url: `${origin}/hook`, origin, received };
}
