import { PAGES } from '@app/contracts/pages';
import { useLocation, useNavigate, useQuery } from '@app/platform';
import { useEffect, useEffectEvent, useRef } from 'react';
import { toast } from 'react-toastify/unstyled';
import { DOCK, findDock } from '../../app/toasts/find-dock.ts';
import { isKeyPage } from '../../key-pages.ts';
import { fetchPurchases } from './fetch-purchases.ts';
import { BETWEEN_TOASTS_MS, purchaseAt } from './purchase-loop.ts';
import { PurchaseToast } from './purchase-toast.tsx';

const LANDING_PAGES = new Set(['/', PAGES.home, PAGES.v5, PAGES.neo, PAGES.v3, PAGES.companion]);

/** What a visitor fills in. */
const FIELDS = 'input, textarea, select';

/** What a visitor has to answer or to read now: an open dialog, or a part of a page that asks for no toasts beside it. */
const IN_THE_WAY = 'dialog[open], [data-holds-toasts]';

/** There is one at a time. A queue would grow while the window has no focus, and follow onto pages that have none. */
const TOAST = 'purchase';

/**
 * Shows a purchase every 8 s, on the pages that have them. The next such page goes on with the next purchase.
 *
 * A turn is left out, and its purchase comes 8 s later, while a menu or dialog is open, the last toast stays because the
 * window lost the focus, a field is filled in, a refusal is shown, or a heading is where the toast would lie. A docked
 * toast that a heading is scrolled to goes. A click on a toast leads to the resellers. When the purchases cannot be
 * fetched, nothing is shown.
 * @param containerId the container of these toasts
 * @param isMenuOpen whether the menu lies over the page; a toast that is there goes when it opens
 * @param isDocked whether toasts lie below the navbar
 */
export function usePurchaseFeed(
  containerId: string,
  { isMenuOpen, isDocked }: { isMenuOpen: boolean; isDocked: boolean },
): void {
  const navigate = useNavigate();
  const isShown = showsPurchases(useLocation().pathname);
  const turn = useRef(0);
  const { data: purchases = [] } = useQuery(isShown ? '/api/latest-purchase' : undefined, fetchPurchases, {
    // The product specification gives this text.
    logFailureAs: 'Failed to fetch purchase',
  });

  const showNext = useEffectEvent(() => {
    const purchase = purchaseAt(purchases, turn.current);
    if (!purchase || isMenuOpen || toast.isActive(TOAST, containerId) || isBusy(document)) return;
    if (isDocked && findDock() !== DOCK) return;

    toast(<PurchaseToast purchase={purchase} now={new Date()} />, {
      containerId,
      toastId: TOAST,
      onClick: () => navigate(PAGES.resellers),
    });
    turn.current++;
  });

  useEffect(() => {
    if (isMenuOpen) toast.dismiss({ containerId });
  }, [containerId, isMenuOpen]);

  useEffect(() => {
    if (!isDocked) return;

    const onScroll = () => {
      if (toast.isActive(TOAST, containerId) && findDock() !== DOCK) toast.dismiss({ containerId });
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, [containerId, isDocked]);

  useEffect(() => {
    if (!isShown) return;

    const timer = setInterval(() => showNext(), BETWEEN_TOASTS_MS);
    return () => {
      clearInterval(timer);
      toast.dismiss({ containerId });
    };
  }, [containerId, isShown]);
}

/** Whether a toast would lie over what the visitor has to do with now. */
function isBusy(page: Document): boolean {
  return page.activeElement?.matches(FIELDS) === true || page.querySelector(IN_THE_WAY) !== null;
}

/** Whether a page shows purchases. Only landing pages and key pages do; the gate is a key page. */
export function showsPurchases(pathname: string): boolean {
  return LANDING_PAGES.has(pathname) || isKeyPage(pathname);
}
