/**
 * What the shell gives every remote. All units in a page share one copy. To add something here, raise the minor of
 * HOST_API_VERSION; to remove or rename something, raise its major.
 */
export { ApiError, callApi, fetchJson, postJson, retryAtOf } from './api.ts';
export { fetchContent, useVideoLink } from './content.ts';
export { fetchInTime, isTimeout } from './fetch-in-time.ts';
export { withQuery } from './with-query.ts';
export { provideKnownDevice, useKnownDevice } from './known-device.ts';
export { keepDevice, Link, Navigate, useNavigate } from './links.tsx';
export { lazyPage, ShowLazyPage, type LazyPage } from './lazy-page.tsx';
export { logFailure } from './log-failure.ts';
export { showToast, useToastStore } from './toasts.ts';
export { useOnlineStore, type OnlineStore } from './online-store.ts';
export { Router, useLocation, useNavigationType } from './router.ts';
export type { RemoteModule } from './remote-module.ts';
export { provideSiteSettings, siteSettings } from './settings.ts';
export { useIsHydrated } from './use-is-hydrated.ts';
export { usePolling, useQuery, type Query } from './use-query.ts';
export { fragmentOf, noteFragment } from './taken-fragment.ts';
export { useSearchParams } from './use-search-params.ts';
export { useDevice, useVisitor, type Device, type Visitor } from './visitor.ts';
export { defineWords, locale, type Words } from './words.ts';
export { afterFirstPaint, notePageSettled } from './after-first-paint.ts';
