import { defineWords } from '@app/platform';
import vi from '../../../../translations/vi/shell/qa.json';
import en from './messages/en.json';

/** Apart from the frame's, because only browsers with QA access load them; so are their translations. */
export const t = defineWords({ en });

const { translations } = globalThis;
if (translations?.locale === 'vi') translations.texts = { ...translations.texts, 'shell/qa': vi };
