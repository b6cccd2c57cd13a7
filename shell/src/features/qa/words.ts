import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts of QA. They are apart from the frame's, because only browsers with QA access load them. */
export const t = defineWords({ en });
