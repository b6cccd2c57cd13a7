import { createHmac, timingSafeEqual } from 'node:crypto';

/** How many seconds ago a message may have been sent: an older one may be a recording. */
const TOLERANCE = 300;

/**
 * Whether a request is a webhook of ours (standardwebhooks.com). Parse the body only after this.
 * @param secret the `whsec_…` of your webhook
 * @param headers those of the request, as Node or `fetch` gives them, or any others by their names
 * @param body the body as it came, before anything has parsed it
 * @param now the clock of your server, in seconds since 1970
 */
export function verifyWebhook(
  secret: string,
  headers: Iterable<[string, string]> | Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  now = Date.now() / 1000,
): boolean {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const named = new Map<string, unknown>(pairs.map(([name, value]) => [name.toLowerCase(), value]));
  const id = named.get('webhook-id');
  const timestamp = named.get('webhook-timestamp');
  const signatures = named.get('webhook-signature');
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE) return false;

  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const right = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  // While a secret is changed there may be two, with a space between them.
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return signature.startsWith('v1,') && given.length === right.length && timingSafeEqual(given, right);
  });
}
