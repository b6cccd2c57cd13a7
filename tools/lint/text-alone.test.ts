import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';
import { textAlone } from './text-alone.ts';

RuleTester.describe = describe;
RuleTester.it = test;
const errors = [{ message: 'This text comes, goes or changes: give it an element of its own.' }];

new RuleTester({ languageOptions: { parserOptions: { lang: 'tsx' } } }).run(
  'a text that comes, goes or changes stands alone in its element',
  textAlone,
  {
    valid: [
      `<p>{isHere && t('here')}</p>`,
      `<p>{isHere ? t('here') : t('there')}</p>`,
      `<p><b />{isHere && <span>{t('here')}</span>}</p>`,
      `<p><b /> {t('here')}</p>`,
      `<p><b />{' '}{isHere ? <i /> : undefined}</p>`,
      `<p>{t('left', { left })}</p>`,
      `<p>{isHere && children}<b /></p>`,
      `function Name() { return <p>{t('name')}</p>; }`,
      `function nameOf() { return t('name'); }`,
    ],
    invalid: [
      `<p><b />{isHere && t('here')}</p>`,
      `<p>{isHere ? 'here' : <i />}<b /></p>`,
      `<p><b />{isHere ? (isLate ? t('late') : t('soon')) : null}</p>`,
      '<>{here ?? t("nowhere")}<b /></>',
      '<p>{isHere && <b />} here</p>',
      `<p>{isHere && <b />}{t('here')}</p>`,
      `<p><b /> {t('left', { left })}</p>`,
      `<p><b /> {t(isLate ? 'late' : 'soon')}</p>`,
      `<p><b /> {formatTime(at)}</p>`,
      '<p><b /> {`${left} left`}</p>',
      `<><b /> {t('left')}</>`,
      `function Name() { if (!isKnown) return t('unknown'); return <b />; }`,
    ].map((code) => ({ code, errors })),
  },
);
