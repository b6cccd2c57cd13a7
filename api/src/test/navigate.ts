import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/**
 * Sends one request with exactly these headers, without following redirects. `fetch` would add Fetch Metadata of its
 * own.
 * @param path a path to send exactly as it is written; a URL would normalise it
 */
export async function navigate(
  url: URL,
  headers: Record<string, string>,
  method = 'GET',
  path?: string,
  body = '',
): Promise<Response> {
  const asked = request(url, { headers, method, agent: false, ...(path !== undefined && { path }) });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const content = await buffer(answer);

  return new Response(content.length > 0 ? new Uint8Array(content) : null, {
    status: answer.statusCode ?? 500,
    headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]),
  });
}
