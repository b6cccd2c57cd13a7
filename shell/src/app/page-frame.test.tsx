import { closeBrowser, openBrowser } from '@app/testing/visit';
import { Router } from '@app/platform';
import { render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { PageFrame } from './page-frame.tsx';

afterEach(closeBrowser);

test('a hydrated page removes its guard script and its notice', () => {
  openBrowser(0);
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const boot = document.createElement('p');
  boot.className = 'boot';
  document.body.append(boot);
  window.onbeforeunload = () => undefined;

  render(
    <Router>
      <PageFrame labelOf={() => undefined}>a page</PageFrame>
    </Router>,
  );

  expect(document.documentElement.dataset['started']).toBe('true');
  expect(window.onbeforeunload).toBeNull();
  expect(boot.isConnected).toBe(false);
});
