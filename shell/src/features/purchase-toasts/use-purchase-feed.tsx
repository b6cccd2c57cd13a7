import { PAGES } from '@app/contracts/pages';
import { useLocation, useNavigate, useQuery } from '@app/platform';
import { useEffect, useEffectEvent, useRef } from 'react';
import { toast } from 'react-toastify/unstyled';
import { positionToasts } from '../../app/toasts/position-toasts.ts';
import { isKeyPage } from '../../key-pages.ts';
import { fetchPurchases } from './fetch-purchases.ts';
import { PurchaseToast } from './purchase-toast.tsx';

/** A toast appears every 8 s and stays for 5 s, so there are never two at a time. */
const TOAST_INTERVAL_MS = 8000;
export const TOAST_DURATION_MS = 5000;

const LANDING_PAGES = new Set(['/', PAGES.home, PAGES.v5, PAGES.neo, PAGES.v3, PAGES.companion]);

/** A touch screen, or a window of at most 768 px. */
const SMALL_WINDOW_QUERY = '(max-width: 768px), (pointer: coarse)';

/** What a visitor fills in. */
const FIELDS_SELECTOR = 'input:not([type=radio], [type=checkbox]), textarea, select';

/** What a visitor has to answer or to read now: an open dialog, or a part of a page that asks for no toasts beside it. */
const BLOCKING_SELECTOR = 'dialog[open], [data-holds-toasts]';

/** There is one at a time. A queue would grow while the window has no focus, and follow onto pages that have none. */
const TOAST_ID = 'purchase';

/**
 * Shows a purchase every 8 s, on the pages that have them. A turn is left out while something else asks for attention,
 * or the last toast is still there because the window lost the focus. Without purchases nothing is shown.
 */
export function usePurchaseFeed(isMenuOpen: boolean): void {
  const navigate = useNavigate();
  const isShown = showsPurchases(useLocation().pathname);
  const turn = useRef(0);
  const { data: purchases = [] } = useQuery(isShown ? '/api/latest-purchase' : undefined, fetchPurchases, {
    // The product specification gives this text.
    logFailureAs: 'Failed to fetch purchase',
  });

  const showNext = useEffectEvent(() => {
    // After the last one, the first again.
    const purchase = purchases[turn.current % purchases.length];
    if (!purchase || isMenuOpen || isBusy(document)) return;

    positionToasts();
    toast(<PurchaseToast purchase={purchase} now={new Date()} />, {
      toastId: TOAST_ID,
      position: matchMedia(SMALL_WINDOW_QUERY).matches ? 'top-center' : 'bottom-left',
      // Screen readers read it where it is, and do not announce it: it is an advertisement.
      role: 'marquee',
      closeButton: false,
      hideProgressBar: true,
      draggable: false,
      onClick: () => navigate(PAGES.resellers),
      // Not while the last toast is there, even if it closes already.
      onOpen: () => turn.current++,
    });
  });

  useEffect(() => {
    if (isMenuOpen) toast.dismiss(TOAST_ID);
  }, [isMenuOpen]);

  useEffect(() => {
    if (!isShown) return;

    const timer = setInterval(() => showNext(), TOAST_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      toast.dismiss(TOAST_ID);
    };
  }, [isShown]);
}

/** Whether a toast would lie over what the visitor has to do with now. */
function isBusy(page: Document): boolean {
  return page.activeElement?.matches(FIELDS_SELECTOR) === true || page.querySelector(BLOCKING_SELECTOR) !== null;
}

/** Whether a page shows purchases. Only landing pages and key pages do; the gate is a key page. */
export function showsPurchases(pathname: string): boolean {
  return LANDING_PAGES.has(pathname) || isKeyPage(pathname);
}
