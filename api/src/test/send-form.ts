import { OWN_NAVIGATION, type TestApi } from './create-test-api.ts';
import { navigate } from './navigate.ts';

/** Sends a form as a browser does without JavaScript. */
export function sendEncodedVariant(
  { origin }: Pick<TestApi, 'origin'>,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = new URLSearchParams(fields).toString();
  const sent = {
    ...OWN_NAVIGATION,
    accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  return navigate(new URL(path, origin), sent, 'POST', undefined, body);
}
