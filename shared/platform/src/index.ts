/**
 * What the shell gives every remote. One copy runs in a page, whichever unit it came with,
 * so adding here raises the minor of CONTRACT_VERSION and taking away raises its major.
 */
export { ApiError, callApi, fetchJson, postJson, retryAtOf } from './api.ts';
export { fetchContent, useVideoLink } from './content.ts';
export { withQuery } from './with-query.ts';
export { keepDevice, Link, Navigate, useNavigate } from './links.tsx';
export { lazyPage, ShowLazyPage, type LazyPage } from './lazy-page.tsx';
export { logFailure } from './log-failure.ts';
export { notify, useNoticeStore } from './notices.ts';
export { useOnlineStore, type OnlineStore } from './online-store.ts';
export { Route, Router, Routes, useLocation, useNavigationType } from './router.ts';
export type { RemoteModule } from './remote-module.ts';
export { provideSiteSettings, siteSettings, siteSettingsSchema, type SiteSettings } from './settings.ts';
export { useIsHydrated } from './use-is-hydrated.ts';
export { usePolling, useQuery, type Query } from './use-query.ts';
export { useSearchParams } from './use-search-params.ts';
export { useDevice, useVisitor, type Device, type Visitor } from './visitor.ts';
export { defineWords, type Words } from './words.ts';
export { afterFirstPaint } from './after-first-paint.ts';
