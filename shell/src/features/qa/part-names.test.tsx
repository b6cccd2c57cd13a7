import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { advanceTime } from '@app/testing/visit';
import { openPage } from '../../test/qa-page.ts';
import { togglePartNames } from './part-names.tsx';
import { ToolRow } from './tool-row.tsx';

beforeEach(openPage);

function show(html: string) {
  const page = document.createElement('div');
  page.innerHTML = html;
  document.body.append(page);
  onTestFinished(() => page.remove());
  return page;
}

const names = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

test('each part of the page is labelled with its unit and the reason, until the labels are hidden', async () => {
  const page = show('<div id="root"><div data-unit="tools" data-version="3.1.0"></div></div>');
  render(<ToolRow access canShare={false} onProblem={vi.fn()} />);

  act(() => screen.getByRole('button', { name: 'Name the parts' }).click());
  expect(names()).toEqual(['shell@2.0.0 Stable', 'tools@3.1.0 Canary']);

  // A release of before took its place.
  page.querySelector('[data-unit]')?.setAttribute('data-version', '3.0.0');
  page.querySelector('[data-unit]')?.setAttribute('data-source', 'fallback');
  await advanceTime(0);
  expect(names()).toEqual(['shell@2.0.0 Stable', 'tools@3.0.0 Fallback']);

  act(() => screen.getByRole('button', { name: 'Hide the names' }).click());
  expect(screen.queryByRole('list')).toBeNull();
  expect(screen.getByRole('button', { name: 'Name the parts' })).toBeDefined();
});

test('the labels stay when the panel closes', () => {
  show('<div id="root"></div>');
  const { unmount } = render(<ToolRow access canShare={false} onProblem={vi.fn()} />);
  act(() => screen.getByRole('button', { name: 'Name the parts' }).click());

  unmount();

  expect(names()).toEqual(['shell@2.0.0 Stable']);
  act(togglePartNames);
});
