/**
 * What the shell gives every remote. All units in a page share one copy. To add something here, raise the minor of
 * HOST_API_VERSION; to remove or rename something, raise its major.
 */
export { ApiError, callApi, fetchJson, postJson, retryAtOf } from './api.ts';
export { fetchContent, useVideoLink } from './content.ts';
export { fetchInTime, isTimeout } from './fetch-in-time.ts';
export { fragmentOf, noteFragment, withQuery } from './addresses.ts';
export { keepDevice, Link, Navigate, Router, useLocation, useNavigate, useNavigationType } from './links.tsx';
export { lazyPage, ShowLazyPage, type LazyPage, type RemoteModule } from './lazy-page.tsx';
export { showToast, useOnlineStore, useToastStore, type OnlineStore } from './stores.ts';
export { provideSiteSettings, siteSettings } from './settings.ts';
export { logFailure } from './log-failure.ts';
export { usePolling, useQuery, type Query } from './use-query.ts';
export {
  provideKnownDevice,
  useDevice,
  useIsHydrated,
  useKnownDevice,
  useSearchParams,
  useVisitor,
  type Device,
  type Visitor,
} from './visitor.ts';
export { defineWords, locale, type Words } from './words.ts';
export { afterFirstPaint, notePageSettled } from './after-first-paint.ts';
