import { KEY_VALID_HOURS } from '@app/contracts/key-system';
import { buttonClass, ButtonRow } from '@app/design-system/button';
import { Card } from '@app/design-system/card';
import { Page } from '@app/design-system/page';
import { Navigate, siteSettings, useLocation, useSearchParams, useVisitor } from '@app/platform';
import { DeviceId } from '../features/device/device-id.tsx';
import { OpenInApp } from '../features/device/open-in-app.tsx';
import { APP_NAMES, appOf, runPagePath } from '../features/run/run-address.ts';
import { truePage } from '../features/run/true-page.ts';
import { useRunState } from '../features/run/use-run-state.ts';
import { t } from '../words.ts';

/** The end of a run. Whoever has no working key is led to the step that is missing. */
export function GetkeyPage() {
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  const { hwid, zone } = useVisitor();
  const app = appOf(pathname);
  const { reading } = useRunState({ app, hwid, zone, isWaiting: false });

  if (!hwid) {
    return (
      <Page eyebrow={APP_NAMES[app]} heading={t('getkey.headingUnknown')} narrow>
        <Card>
          <OpenInApp />
          <DeviceId hwid={hwid} />
        </Card>
      </Page>
    );
  }
  if (reading.status !== 'ready') {
    return (
      <Page eyebrow={APP_NAMES[app]} heading={t('getkey.headingUnknown')} narrow>
        <p role="status">{reading.status === 'failed' ? t('getkey.failed') : t('getkey.looking')}</p>
      </Page>
    );
  }

  const { key } = reading.state;
  if (!key?.active) return <Navigate to={runPagePath(app, truePage(reading.state), query)} replace />;

  return (
    <Page
      eyebrow={APP_NAMES[app]}
      heading={t('getkey.heading')}
      lead={t('getkey.lead', { hours: KEY_VALID_HOURS })}
      narrow
    >
      <Card>
        <p>
          {t('getkey.until')} <strong>{formatMoment(key.expiresAt)}</strong>
        </p>
        <DeviceId hwid={hwid} />
        <ButtonRow>
          <a className={buttonClass()} href={siteSettings().launchUrl}>
            {t('getkey.launch')}
          </a>
        </ButtonRow>
      </Card>
    </Page>
  );
}

function formatMoment(at: number): string {
  return new Intl.DateTimeFormat('en', { weekday: 'long', hour: 'numeric', minute: '2-digit' }).format(at);
}
