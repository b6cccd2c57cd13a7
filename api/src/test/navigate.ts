import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/**
 * Sends one request with exactly these headers, without following redirects. `fetch` would add Fetch Metadata of its
 * own.
 */
export async function navigate(url: URL, headers: Record<string, string>, method = 'GET'): Promise<Response> {
  const asked = request(url, { headers, method, agent: false });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await buffer(answer);

  return new Response(new Uint8Array(body), {
    status: answer.statusCode ?? 500,
    headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]),
  });
}
