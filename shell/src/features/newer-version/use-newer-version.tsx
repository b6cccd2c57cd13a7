import { useLocation } from '@app/platform';
import { useEffect, useRef, useState } from 'react';
import { toast } from 'react-toastify/unstyled';
import type { NewerVersionToast } from './newer-version-toast.tsx';
import { pollWhileVisible } from './poll-while-visible.ts';

const TOAST_ID = 'newer-version';

/** Where an offer at the top would lie over the heading of the page. */
const SMALL_WINDOW_QUERY = '(max-width: 768px), (max-height: 480px)';

/** The pages of the steps of a run: nothing may cover what a visitor does there. */
const STEP_PAGE_PATTERN = /\/(key-system-\d+|gate)$/;

/** Offers a reload once the site has other versions. It waits on the pages of steps, and behind the open menu. */
export function useNewerVersion(isMenuOpen: boolean): void {
  const isStep = STEP_PAGE_PATTERN.test(useLocation().pathname);
  const [offer, setOffer] = useState<{ versions: string; Toast: typeof NewerVersionToast }>();
  const closed = useRef<string>(undefined);

  useEffect(
    () =>
      pollWhileVisible(() => {
        import(/* webpackChunkName: "seldom" */ './newer-version-toast.tsx')
          .then(async ({ findNewerVersion: findNewer, NewerVersionToast }) => {
            const versions = await findNewer();
            // Replacing a toast by itself would only remove it.
            setOffer((shown) => {
              if (shown?.versions === versions) return shown;
              return versions === undefined ? undefined : { versions, Toast: NewerVersionToast };
            });
          })
          // The next check may get an answer.
          .catch(() => undefined);
      }),
    [],
  );

  useEffect(() => {
    if (!offer || offer.versions === closed.current || isMenuOpen || isStep) return;

    const close = () => {
      closed.current = offer.versions;
      toast.dismiss(TOAST_ID);
    };
    toast(<offer.Toast onClose={close} />, {
      toastId: TOAST_ID,
      ...(matchMedia(SMALL_WINDOW_QUERY).matches && { position: 'bottom-center' }),
      autoClose: false,
      closeOnClick: false,
      closeButton: false,
      draggable: false,
    });
    return () => toast.dismiss(TOAST_ID);
  }, [offer, isMenuOpen, isStep]);
}
