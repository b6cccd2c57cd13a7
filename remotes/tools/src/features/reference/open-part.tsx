import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { runPagePath } from '@app/contracts/pages';
import { t } from './words.ts';
import { CopyField } from '@app/design-system/copy-field';
import { useIsHydrated } from '@app/platform';
import { Breakable } from './code.tsx';
import { Part, Text } from './part.tsx';
import { DEMO, SITE } from './snippets.ts';
import { TermList } from './term-list.tsx';

const WHO = String(new URLSearchParams({ hwid: DEMO.hwid, zone: DEMO.zone }));

/** The pages that an app opens, and the parameters of their addresses. */
export function OpenPart() {
  const site = useIsHydrated() ? location.origin : SITE;
  const main = `${site}${runPagePath('main', 1)}?${WHO}`;
  const companion = `${site}${runPagePath('companion', 1)}?${WHO}`;

  return (
    <Part
      id="open"
      heading={t('dev.open')}
      code={
        <>
          <CopyField label={t('dev.open.main', { app: PRODUCT.label })} value={main} lines>
            <Breakable text={main} />
          </CopyField>
          <CopyField label={t('dev.open.companion', { app: COMPANION.label })} value={companion} lines>
            <Breakable text={companion} />
          </CopyField>
        </>
      }
      more={
        <TermList
          terms={[
            { term: 'hwid', text: t('dev.hwid') },
            { term: 'zone', text: t('dev.zone') },
            { term: 'os', text: t('dev.os') },
          ]}
        />
      }
    >
      <Text>{t('dev.open.text')}</Text>
    </Part>
  );
}
