import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** One GET with exactly these headers, following nothing; `fetch` would put fetch metadata of its own on top. */
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
