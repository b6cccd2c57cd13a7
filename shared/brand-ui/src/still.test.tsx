import { act } from '@testing-library/react';
import { Suspense, type ComponentType } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server.edge';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { still, withStills, type Still } from './still.tsx';

const load = vi.fn<() => Promise<ComponentType>>(() => Promise.resolve(() => <p>A drawing</p>));

let Drawing: Still;
let place: HTMLElement;
let root: Root | undefined;

beforeEach(() => {
  load.mockClear();
  Drawing = still(load);
  place = document.body.appendChild(document.createElement('div'));
});
afterEach(() => {
  act(() => root?.unmount());
  root = undefined;
  place.remove();
});

function Page() {
  return (
    <main>
      <Suspense>
        <Drawing />
      </Suspense>
    </main>
  );
}

/** Where there is no document, as on the server. */
async function onServer<Result>(act: () => Result | Promise<Result>): Promise<Result> {
  const { document } = globalThis;
  vi.stubGlobal('document', undefined);
  try {
    return await act();
  } finally {
    vi.stubGlobal('document', document);
  }
}

test('server-rendered drawings stay through hydration and later renders without loading their code', async () => {
  await onServer(() => withStills(Page, [Drawing]));
  place.innerHTML = await onServer(() => renderToString(<Page />));
  const drawn = place.querySelector('p');
  expect(drawn?.textContent).toBe('A drawing');

  load.mockClear();
  Drawing = still(load);
  place.dataset['unit'] = 'tools';
  expect(await withStills(Page, [Drawing])).toBe(Page);
  const errors: unknown[] = [];
  root = await act(() =>
    Promise.resolve(hydrateRoot(place, <Page />, { onRecoverableError: (error) => errors.push(error) })),
  );
  await act(() => Promise.resolve(root?.render(<Page />)));

  expect(place.querySelector('p')).toBe(drawn);
  expect(errors).toEqual([]);
  expect(load).not.toHaveBeenCalled();
});

test('drawings are rendered at once after a client-side navigation', async () => {
  place.dataset['unit'] = 'tools';
  place.dataset['source'] = 'stable';
  await withStills(Page, [Drawing]);
  expect(load).toHaveBeenCalledOnce();

  root = createRoot(place);
  await act(() => Promise.resolve(root?.render(<Page />)));
  expect(place.textContent).toBe('A drawing');
});

test('code that failed to load is requested again', async () => {
  load.mockRejectedValueOnce(new Error('gone'));
  await expect(withStills(Page, [Drawing])).rejects.toThrow('gone');
  await expect(withStills(Page, [Drawing])).resolves.toBe(Page);
});
