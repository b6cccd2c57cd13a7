import type { ReactElement } from 'react';

/** What the page after the redeeming says about the code that was redeemed last. It lives as long as the document. */
export const lastRedeemed: { page?: ReactElement } = {};
