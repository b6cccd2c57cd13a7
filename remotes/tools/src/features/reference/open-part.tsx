import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { runPagePath } from '@app/contracts/pages';
import { t } from '../../words.ts';
import { Call, Part, Text } from './part.tsx';
import { TermList } from './term-list.tsx';

/** The pages that an app opens, and the parameters of their addresses. */
export function OpenPart() {
  return (
    <Part id="open" heading={t('dev.open')}>
      <Text>{t('dev.open.text')}</Text>
      <Call label={t('dev.open.main', { app: PRODUCT.label })}>{`${runPagePath('main', 1)}?hwid=…&zone=…`}</Call>
      <Call
        label={t('dev.open.companion', { app: COMPANION.label })}
      >{`${runPagePath('companion', 1)}?hwid=…&zone=…`}</Call>
      <TermList
        terms={[
          { term: 'hwid', text: t('dev.hwid') },
          { term: 'zone', text: t('dev.zone') },
          { term: 'os', text: t('dev.os') },
        ]}
      />
    </Part>
  );
}
