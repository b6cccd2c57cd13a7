import { act } from '@testing-library/react';
import { Suspense, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server.edge';
import { expect, test } from 'vitest';
import { pageOfRelease } from './page-of-release.tsx';

const inFrame = (page: ReactNode) => <Suspense>{page}</Suspense>;

function pageWith(className: string) {
  return () => <h1 className={className}>Plans</h1>;
}

test.each([
  { version: '2.0.0', className: 'new', what: 'its own release keeps its HTML', isAnew: false },
  { version: '1.0.0', className: 'old', what: 'another release is rendered anew', isAnew: true },
])('a page with code of $what', async ({ version, className, isAnew }) => {
  const Rendered = pageOfRelease(pageWith('new'), { unit: 'tools', version: '2.0.0' });
  const root = document.createElement('main');
  root.innerHTML = renderToString(inFrame(<Rendered />));
  document.body.replaceChildren(root);
  const sent = document.querySelector('h1');
  const Loaded = pageOfRelease(pageWith(className), { unit: 'tools', version }, 'fallback');

  await act(async () => {
    hydrateRoot(root, inFrame(<Loaded />), { onRecoverableError: () => undefined });
    await Promise.resolve();
  });

  const heading = document.querySelector('h1');
  expect(heading?.className).toBe(className);
  expect(document.querySelector<HTMLElement>('[data-unit]')?.dataset).toMatchObject({ version, source: 'fallback' });
  expect(heading === sent).toBe(!isAnew);
});
