import { parseErrorCode } from '@app/contracts/errors';
import { buttonClass, ButtonRow } from '@app/design-system/button';
import { Card } from '@app/design-system/card';
import { Notice } from '@app/design-system/notice';
import { Page } from '@app/design-system/page';
import { Link, useLocation, useSearchParams, useVisitor } from '@app/platform';
import { OpenInApp } from '../features/device/open-in-app.tsx';
import { noticeFor } from '../features/run/notices.ts';
import { APP_NAMES, appOf, runPagePath } from '../features/run/run-address.ts';
import { t } from '../words.ts';

export function BypassPage() {
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  const { hwid, zone } = useVisitor();
  const app = appOf(pathname);
  const reason = noticeFor(parseErrorCode(query.get('r')));
  const device = new URLSearchParams([...query].filter(([name]) => name === 'hwid' || name === 'zone'));

  return (
    <Page
      eyebrow={APP_NAMES[app]}
      heading={t('bypass.heading')}
      lead={t('bypass.lead')}
      narrow
    >
      <Card>
        {reason && <Notice kind="warning" title={reason} />}
        {hwid && zone ? (
          <ButtonRow>
            <Link className={buttonClass()} to={runPagePath(app, 1, device)}>
              {t('bypass.back')}
            </Link>
          </ButtonRow>
        ) : (
          <OpenInApp />
        )}
      </Card>
    </Page>
  );
}
