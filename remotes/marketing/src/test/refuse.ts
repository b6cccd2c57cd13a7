/** Noon on a day in November, when the tests are. */
export const NOW = new Date(2026, 10, 22, 12).getTime();

/** An error of the API. */
export function refuse(code: string, status: number, more: object = {}, headers: HeadersInit = {}): Response {
  const body = { type: `/errors#${code}`, title: code, status, code, retryable: status === 429, ref: 'r', now: NOW };
  return Response.json({ ...body, ...more }, { status, headers });
}
