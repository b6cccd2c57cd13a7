import type { Resolution } from '@app/contracts/resolution';
import { advanceTime, serve } from '@app/testing/visit';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { serveQa, click, openPage, PROBLEM, RESOLUTION } from '../../test/qa-page.ts';
import { LocalForm } from './local-unit.tsx';
import { Overlay } from './overlay.tsx';

const LOCAL = { unit: 'tools', origin: 'http://localhost:8080' };
const PAGE: Resolution = { ...RESOLUTION, units: {}, qa: { access: true, pins: {}, local: LOCAL } };

/** The one connection to the computer. */
let events: {
  url: string;
  isClosed: boolean;
  close: () => void;
  onmessage?: (event: object) => void;
  onerror?: () => void;
};
const reload = vi.fn<() => void>();

beforeEach(() => {
  const close = openPage();
  vi.spyOn(location, 'reload').mockImplementation(reload.mockReset());
  vi.stubGlobal('EventSource', function EventSource(url: string) {
    events = { url, isClosed: false, close: () => void (events.isClosed = true) };
    return events;
  });
  return close;
});

const receiveBuild = (build: string, problem = '') =>
  act(() => events.onmessage?.({ data: JSON.stringify({ build, problem }) }));

test('the badge names the unit and its origin, and one click removes the unit', async () => {
  const asked = serveQa({ access: true, session: null });
  render(<Overlay resolution={PAGE} />);

  expect(screen.getByRole('button', { name: 'tools from localhost:8080' })).toBeDefined();
  expect(events.url).toBe('http://localhost:8080/dev/edited-unit/events');
  await click('End');

  expect(asked).toContainEqual({ path: '/api/qa/local', method: 'DELETE', body: undefined });
});

test('a new build reloads the page, and a build error is shown until it is fixed', () => {
  const { unmount } = render(<Overlay resolution={PAGE} />);

  receiveBuild('one');
  receiveBuild('one', 'Syntax Error in a.tsx');
  expect(screen.getByRole('status').textContent).toBe('Syntax Error in a.tsx');
  receiveBuild('one');
  expect(screen.queryByRole('status')).toBeNull();
  expect(reload).not.toHaveBeenCalled();

  receiveBuild('two');
  expect(reload).toHaveBeenCalledOnce();
  unmount();
  expect(events.isClosed).toBe(true);
});

test('a development server that does not answer is named, and the page reloads once it answers', () => {
  render(<Overlay resolution={PAGE} />);

  act(() => events.onerror?.());
  expect(screen.getByRole('button', { name: 'tools: localhost:8080 doesn’t answer' })).toBeDefined();
  receiveBuild('one');
  expect(reload).toHaveBeenCalledOnce();
});

test('an unchanged build after a lost connection does not reload the page', () => {
  render(<Overlay resolution={PAGE} />);

  receiveBuild('one');
  act(() => events.onerror?.());
  receiveBuild('one');

  expect(screen.queryByRole('status')).toBeNull();
  expect(reload).not.toHaveBeenCalled();
});

test('a submitted unit and port take effect by a page load, and errors of the server are shown', async () => {
  render(<LocalForm units={['shell', 'key-system', 'tools']} />);
  const unit = screen.getByRole<HTMLSelectElement>('combobox');
  expect([...unit.options].map(({ value }) => value)).toEqual(['key-system', 'tools']);

  fireEvent.change(unit, { target: { value: 'tools' } });
  expect(screen.getByText(/npm run dev … --against/)).toBeDefined();
  fireEvent.change(screen.getByLabelText('Port on localhost'), { target: { value: '8080' } });
  const refusal = { ...PROBLEM, title: 'x', code: 'QA_PIN', detail: 'It has no page here.' };
  serve({ '/api/qa/local': () => Response.json(refusal, { status: 409 }) });
  fireEvent.submit(screen.getByRole('form'));
  await advanceTime(0);
  expect(screen.getByRole('alert').textContent).toBe('It has no page here.');
  expect(reload).not.toHaveBeenCalled();

  const asked = serve({ '/api/qa/local': () => Response.json({ until: 1 }) });
  fireEvent.submit(screen.getByRole('form'));
  await advanceTime(0);
  expect(asked).toEqual([{ path: '/api/qa/local', method: 'POST', body: '{"unit":"tools","port":8080}' }]);
  expect(reload).toHaveBeenCalledOnce();
});
