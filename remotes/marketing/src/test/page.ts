import { closeBrowser, openBrowser, advanceTime, serve, visit } from '@app/testing/visit';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import remote from '../remote.ts';

/** Noon on a day in November, when the tests are. */
export const NOW = new Date(2026, 10, 22, 12).getTime();

beforeEach(() => openBrowser(NOW));
afterEach(closeBrowser);

/** Opens a page of this unit; the server gives these answers. Returns what it is asked. */
export async function openPage(address: string, answers: Parameters<typeof serve>[0]) {
  const asked = serve(answers);
  await visit(remote, address);
  return asked;
}

export async function click(name: string) {
  fireEvent.click(screen.getByRole('button', { name }));
  await advanceTime(0);
}

/** An error of the API. */
export function refuse(code: string, status: number, more: object = {}, headers: HeadersInit = {}): Response {
  const body = { type: `/errors#${code}`, title: code, status, code, retryable: status === 429, ref: 'r', now: NOW };
  return Response.json({ ...body, ...more }, { status, headers });
}
