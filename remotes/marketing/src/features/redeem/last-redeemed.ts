import type { ReactElement } from 'react';

export const lastRedeemed: { page?: ReactElement } = {};
