import { lazyPage } from '@app/platform';
// With the styles of the page that shows it, so that the first paint has them.
import '@app/brand-ui/phone-sketch.module.css';
import '../features/device/begin-picture.module.css';

/** How to begin in the app, for an address without a device. It is code that a visitor from the app never needs. */
export const beginInApp = lazyPage(
  async () => (await import(/* webpackChunkName: "begin-in-app" */ './begin-section.tsx')).BeginInApp,
);
