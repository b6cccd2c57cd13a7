import { KNOWN_DEVICES, type KnownDevice } from '@app/contracts/device-params';
import { Router, type RemoteModule } from '@app/platform';
import { act } from '@testing-library/react';
import { createElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
// The renderer's own: two of them in one process would not clear each other's contexts after an error.
import { renderToString } from 'react-dom/server.edge';

/** An address of each kind: the server renders a page for each. */
const QUERIES: Readonly<Record<KnownDevice, string>> = {
  none: '',
  device: '?hwid=device-1',
  zoned: '?hwid=device-1&zone=z1',
};

/**
 * Opens a page of a remote, under each kind of address, in a browser that has its HTML already, and hydrates it.
 * @returns the elements of the HTML that are gone since
 * @throws Error when no page of the remote has this path, or what React says when the first render is another one
 */
export async function hydrate(remote: RemoteModule, path: string): Promise<Element[]> {
  const gone: Element[] = [];
  for (const device of KNOWN_DEVICES) gone.push(...(await hydrateAt(remote, path + QUERIES[device], device)));
  return gone;
}

/** @param device how much of a device the server found in the address */
async function hydrateAt(remote: RemoteModule, address: string, device: KnownDevice): Promise<Element[]> {
  const [path = ''] = address.split('?');
  const load = remote.pages[remote.routes[path] ?? ''];
  if (!load) throw new Error(`No page answers ${path}`);
  // What a page loads ahead can depend on its address.
  history.replaceState(null, '', address);
  const page = <Router>{createElement(await load())}</Router>;

  if (device !== 'none') document.documentElement.dataset['device'] = device;
  const place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = renderToString(page);
  const sent = [...place.querySelectorAll('*')];
  const root = await act(() =>
    Promise.resolve(
      hydrateRoot(place, page, {
        onRecoverableError(error) {
          throw error;
        },
      }),
    ),
  );

  const gone = sent.filter((element) => !element.isConnected);
  act(() => root.unmount());
  place.remove();
  delete document.documentElement.dataset['device'];
  return gone;
}
