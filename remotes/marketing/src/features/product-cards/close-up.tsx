import { NeoSaved } from '@app/brand-ui/device/neo-screen';
import { V3Keyboard } from '@app/brand-ui/device/v3-screen';
import { V5Assistant } from '@app/brand-ui/device/v5-screen';
import css from './close-up.module.css';

/** A close look at the part of an app's screen that the others do not have. */
export function CloseUp({ app }: { app: 'v5' | 'neo' | 'v3' }) {
  return (
    <svg className={css.closeUp} viewBox="0 0 300 130" data-app={app} aria-hidden="true">
      {app === 'v5' && (
        <g transform="translate(26 10) scale(1.5) translate(-326 -20)">
          <V5Assistant />
        </g>
      )}
      {app === 'neo' && (
        <g transform="translate(62 2) scale(1.08) translate(-322 -20)">
          <NeoSaved />
        </g>
      )}
      {app === 'v3' && (
        <g transform="translate(0 20) scale(0.66)">
          <V3Keyboard />
        </g>
      )}
    </svg>
  );
}
