import { PAGES } from '@app/contracts/pages';
import { useLocation, useNavigate, useQuery } from '@app/platform';
import { useEffect, useEffectEvent, useRef } from 'react';
import { toast } from 'react-toastify/unstyled';
import { fetchPurchases } from './fetch-purchases.ts';
import { BETWEEN_TOASTS_MS, purchaseAt } from './purchase-loop.ts';
import { PurchaseToast } from './purchase-toast.tsx';
import { showsPurchases } from './toast-pages.ts';

/**
 * Shows a purchase every 8 s, on the pages that have them; another such page goes on where the last one was.
 * A click on one leads to the resellers. The feed is an ornament: when it cannot be had, nothing is shown.
 * @param containerId the place of these toasts
 */
export function usePurchaseFeed(containerId: string): void {
  const navigate = useNavigate();
  const isShown = showsPurchases(useLocation().pathname);
  const turn = useRef(0);
  const { data: purchases = [] } = useQuery(isShown ? '/api/latest-purchase' : undefined, fetchPurchases, {
    // The product's own words for it.
    logFailureAs: 'Failed to fetch purchase',
  });

  const showNext = useEffectEvent(() => {
    const purchase = purchaseAt(purchases, turn.current);
    if (!purchase) return;

    toast(<PurchaseToast purchase={purchase} />, { containerId, onClick: () => navigate(PAGES.resellers) });
    turn.current++;
  });

  useEffect(() => {
    if (!isShown) return;

    const timer = setInterval(() => showNext(), BETWEEN_TOASTS_MS);
    return () => {
      clearInterval(timer);
      toast.dismiss({ containerId });
    };
  }, [containerId, isShown]);
}
