import { lazyPage } from '@app/platform';
// With the styles of the pages that it replaces, so that the first paint has them.
import '@app/brand-ui/phone-sketch.module.css';
import '../features/device/begin-picture.module.css';
import '../features/device/device.module.css';
import '../features/run/layouts.module.css';
import '../features/run/refusals.module.css';
import '../features/run/usual-time.module.css';
import './begin-page.module.css';

/** The page for a visitor who has to begin in the app. It is code of its own, which a visitor from there never needs. */
export const beginPage = lazyPage(
  async () => (await import(/* webpackChunkName: "begin-page" */ './begin-page.tsx')).BeginPage,
);
