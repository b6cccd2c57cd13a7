import { closeBrowser, openBrowser, serve, visit } from '@app/testing/visit';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { common, vectors } from '../../../../samples/verify-key/vectors.json';
import remote from '../remote.ts';

const KEY = vectors.find(({ title }) => title === 'a key of ours, on its device')?.key ?? '';

beforeEach(() => openBrowser(common.now * 1000));
afterEach(closeBrowser);

test('a key and a device id are checked without what a chat has put into and around them', async () => {
  const asked = serve({ '/.well-known/jwks.json': () => Response.json(common.jwks) });
  await visit(remote, '/check-key');
  const pasted = `“\`${KEY.slice(0, 70)}\u00a0\n${KEY.slice(70).replaceAll('.', '\u200b.')}\`”`;
  fireEvent.change(screen.getByLabelText('Key'), { target: { value: pasted } });
  fireEvent.change(screen.getByLabelText('Device ID'), { target: { value: '\u2068device\u20111234\u00ad\u2069' } });
  fireEvent.click(screen.getByRole('button', { name: 'Check' }));

  const result = await vi.waitFor(() => screen.getByRole('region', { name: 'Result' }));
  expect(within(result).getByText('VALID')).toBeDefined();

  fireEvent.click(within(result).getByRole('button', { name: 'Ask the server' }));
  expect(JSON.parse(String(asked.at(-1)?.body))).toEqual({ key: KEY, hwid: 'device-1234', app: 'main' });
});
